'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { RotateCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../_components/ui/button.tsx'
import { CopyableAddress, TxLink } from '../_components/ui/copyable-identifier.tsx'
import { Link } from '../_components/ui/link.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Section } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'

type DeadLetter = inferRouterOutputs<AppRouter>['settlement']['listDeadLetters'][number]

/** For operators: chain events that could not be booked, with the evidence. Other money moves normally. */
export function UnbookedChainEvents() {
  const t = useTranslations('admin.unbookedChainEvents')
  const trpc = useTRPC()
  const found = useQuery(trpc.settlement.listDeadLetters.queryOptions(undefined, { refetchInterval: 10_000 }))
  if (found.error) return <ProblemNotice error={found.error} />
  if (!found.data?.length) return null
  return (
    <Section title={t('eventsCouldNotBooked')} aside={t('inChainsOrder')} className="mb-10">
      <p className="mb-4 text-muted text-sm">{t('serverTakesNoNewActionOn')}</p>
      <ul className="grid gap-4">
        {found.data.map((letter) => (
          <li key={letter.id}>
            <Card className="grid gap-2">
              <Letter letter={letter} />
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Letter({ letter }: { letter: DeadLetter }) {
  const t = useTranslations('admin.unbookedChainEvents')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const retry = useMutation(
    trpc.settlement.retryDeadLetter.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.settlement.listDeadLetters.queryFilter()),
    }),
  )
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="break-all font-medium">
          <Subject letter={letter} />
        </p>
        <Button isBusy={retry.isPending} onClick={() => retry.mutate({ id: letter.id })}>
          <RotateCw aria-hidden /> {t('bookAgain')}
        </Button>
      </div>
      {retry.error && <ProblemNotice error={retry.error} />}
      <p className="whitespace-pre-wrap break-words text-bad-ink text-sm">{letter.error}</p>
      <p className="text-muted text-sm">
        {t.rich('block', {
          block: () => <span className="figures">{letter.block}</span>,
          transaction: () => <TxLink hash={letter.txHash} />,
          found: () => <Time at={letter.createdAt} />,
          attempts: () => <span className="figures">{letter.attempts}</span>,
          last: () => <Time at={letter.triedAt} />,
        })}
      </p>
      <details className="rounded-md border bg-sunken">
        <summary className="min-h-11 px-3 py-2.5 font-medium text-sm md:min-h-9 md:py-2">{t('events')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className="figures max-h-80 overflow-auto p-3 text-[0.8125rem] leading-snug">
          {letter.evidence}
        </pre>
      </details>
    </>
  )
}

function Subject({ letter: { goalId, channelId, account, contract } }: { letter: DeadLetter }) {
  const t = useTranslations('admin.unbookedChainEvents')
  if (goalId !== null)
    return (
      <Link className="text-link" href={`/goals/${goalId}/payouts`}>
        {t('goal', { goalId })}
      </Link>
    )
  if (channelId !== null) return <>{t('channel', { channelId })}</>
  return <>{t.rich('creditOfInContract', { address: () => <CopyableAddress address={(account ?? '0x') as `0x${string}`} />, contract })}</>
}
