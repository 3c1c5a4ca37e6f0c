'use client'
import { useMutation } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Button } from '../../_components/ui/button.tsx'
import { CopyableIdentifier } from '../../_components/ui/copyable-identifier.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card, EmptyState } from '../../_components/ui/section.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'
import { Time } from '../../_components/ui/time.tsx'

type Peer = inferRouterOutputs<AppRouter>['federation']['listPeers'][number]

/** Each peer, the time of its last read, and its last error. */
export function PeerList({ peers }: { peers: readonly Peer[] }) {
  const t = useTranslations('admin.peerList')
  if (peers.length === 0) return <EmptyState title={t('marketReadsNoOther')}>{t('twoMarketsReadOneAnotherWhere')}</EmptyState>
  return (
    <ul className="grid gap-4">
      {peers.map((peer) => (
        <li key={peer.origin}>
          <Card>
            <PeerCard peer={peer} />
          </Card>
        </li>
      ))}
    </ul>
  )
}

function PeerCard({ peer }: { peer: Peer }) {
  const t = useTranslations('admin.peerList')
  const trpc = useTRPC()
  const router = useRouter()
  const remove = useMutation(trpc.federation.removePeer.mutationOptions({ onSuccess: () => router.refresh() }))
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="break-all font-semibold">{peer.origin}</h3>
        {peer.problem ? <Chip tone="bad">{t('cantRead')}</Chip> : <Chip tone="good">{peer.readAt ? t('read') : t('named')}</Chip>}
      </div>
      <CopyableIdentifier text={peer.serverDid} />
      <p className="text-muted text-sm">
        {t('agentsAvailableHere', { listings: peer.listings })}{' '}
        {peer.readAt ? t.rich('lastRead', { time: fillEmptyTag(<Time at={peer.readAt} />) }) : t('notReadYet')}
      </p>
      {peer.problem && (
        <p className="text-bad-ink text-sm">
          {t.rich('triedAgainAfterFailures', {
            problem: peer.problem,
            time: () => <Time at={peer.nextSyncAt} />,
            failures: peer.failures,
          })}
        </p>
      )}
      {peer.refusal && <p className="break-words text-sm">{t('statementsRefused', { refused: peer.refused, refusal: peer.refusal })}</p>}
      {remove.error && <ProblemNotice error={remove.error} />}
      <div>
        <Button tone="danger" size="small" isBusy={remove.isPending} onClick={() => remove.mutate({ origin: peer.origin })}>
          {t('remove')}
        </Button>
      </div>
    </div>
  )
}
