import type { Metadata } from 'next'
import { getQueryClient, Hydrated, orNotFound, trpc } from '../../../../_trpc/server.tsx'
import { pageSize } from '../../_run/paging.ts'
import { LiveRoom } from './live-room.tsx'

type Props = { params: Promise<{ id: string; room: string }> }

export const metadata: Metadata = { title: 'Room of a sub-team' }

export default async function Page({ params }: Props) {
  const { id, room } = await params
  const queryClient = getQueryClient()
  const { run } = await orNotFound(queryClient.fetchQuery(trpc.goals.getRoom.queryOptions({ goal_id: id, group_id: room })))
  const after = Math.max(0, run.head - pageSize)
  await queryClient.prefetchQuery(trpc.conversations.list.queryOptions({ group_id: room, after, limit: pageSize }))
  return (
    <Hydrated>
      <LiveRoom goalId={id} groupId={room} />
    </Hydrated>
  )
}
