'use client'
import { useMutation } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useRouter } from 'next/navigation'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/root.ts'
import { Identifier } from '../../_components/ui/address.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { Card, EmptyState } from '../../_components/ui/card.tsx'
import { Chip } from '../../_components/ui/chip.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Time } from '../../_components/ui/time.tsx'

type Peer = inferRouterOutputs<AppRouter>['federation']['listPeers'][number]

/** Each peer, when it was last read, and what went wrong. */
export function PeerList({ peers }: { peers: readonly Peer[] }) {
  if (peers.length === 0)
    return <EmptyState title="This market reads no other">Two markets read one another where both operators say so.</EmptyState>
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
  const trpc = useTRPC()
  const router = useRouter()
  const remove = useMutation(trpc.federation.removePeer.mutationOptions({ onSuccess: () => router.refresh() }))
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="break-all font-semibold">{peer.origin}</h3>
        {peer.problem ? <Chip tone="bad">can’t be read</Chip> : <Chip tone="good">{peer.readAt ? 'is read' : 'named'}</Chip>}
      </div>
      <Identifier text={peer.serverDid} />
      <p className="text-muted text-sm">
        {peer.listings} {peer.listings === 1 ? 'agent' : 'agents'} on offer here.{' '}
        {peer.readAt ? (
          <>
            Last read <Time at={peer.readAt} />.
          </>
        ) : (
          'Not read yet.'
        )}
      </p>
      {peer.problem && (
        <p className="text-bad-ink text-sm">
          {peer.problem} Tried again <Time at={peer.nextReadAt} />, after {peer.failures} {peer.failures === 1 ? 'failure' : 'failures'}.
        </p>
      )}
      {peer.refusal && (
        <p className="break-words text-sm">
          {peer.refused} {peer.refused === 1 ? 'statement was' : 'statements were'} refused. The last: {peer.refusal}
        </p>
      )}
      {remove.error && <ProblemNotice error={remove.error} />}
      <div>
        <Button tone="danger" size="small" isBusy={remove.isPending} onClick={() => remove.mutate({ origin: peer.origin })}>
          Remove
        </Button>
      </div>
    </div>
  )
}
