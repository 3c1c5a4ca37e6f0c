'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../_components/ui/button.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Card, Section } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'

/** For operators: dead letters. Their rooms continue with a placeholder. */
export function UndeliverableMessages() {
  const t = useTranslations('admin.undeliverableMessages')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const found = useQuery(trpc.conversations.listDeadLetters.queryOptions(undefined, { refetchInterval: 10_000 }))
  const retry = useMutation(
    trpc.conversations.retry.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.conversations.listDeadLetters.queryFilter()),
    }),
  )
  if (found.error) return <ProblemNotice error={found.error} />
  if (!found.data?.length) return null
  return (
    <Section title={t('messagesCantDelivered')} aside={t('newestFirst')} className="mb-10">
      {retry.error && <ProblemNotice error={retry.error} />}
      <ul className="grid gap-4">
        {found.data.map(({ roomId, seq, reason, at }) => (
          <li key={`${roomId} ${seq}`}>
            <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div className="min-w-0">
                <p className="break-all font-medium">
                  {t.rich('messageOf', {
                    message: () => <span className="figures">{seq}</span>,
                    room: () => <span className="figures">{roomId}</span>,
                  })}
                </p>
                <p className="break-words text-bad-ink text-sm">{reason}</p>
                <p className="text-muted text-sm">{t.rich('found', { time: () => <Time at={at} /> })}</p>
              </div>
              <Button isBusy={retry.isPending} onClick={() => retry.mutate({ room_id: roomId as `rom_${string}`, seq })}>
                <RotateCw aria-hidden /> {t('retry')}
              </Button>
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  )
}
