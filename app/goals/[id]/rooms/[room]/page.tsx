import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { getQueryClient, Hydrated, orNotFound, trpc } from '../../../../_trpc/server.tsx'
import { messagePageSize } from '../../_run/message-page-size.ts'
import { LiveSubTeamRoom } from './live-sub-team-room.tsx'

type Props = { params: Promise<{ id: string; room: string }> }

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('run.roomsOnePage')
  return { title: t('roomOfSubTeam') }
}

export default async function Page({ params }: Props) {
  const { id, room } = await params
  const queryClient = getQueryClient()
  const { run } = await orNotFound(queryClient.fetchQuery(trpc.goals.getRoom.queryOptions({ goal_id: id, room_id: room })))
  const after = Math.max(0, run.head - messagePageSize)
  await queryClient.prefetchQuery(trpc.conversations.list.queryOptions({ room_id: room, after, limit: messagePageSize }))
  return (
    <Hydrated>
      <LiveSubTeamRoom goalId={id} roomId={room} />
    </Hydrated>
  )
}
