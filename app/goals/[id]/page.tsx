import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { getQueryClient, getRequestContext, Hydrated, orNotFound, trpc } from '../../_trpc/server.tsx'
import { LiveGoal } from './_run/live-goal.tsx'
import { mayHaveDisputes } from './_run/may-have-disputes.ts'
import { messagePageSize } from './_run/message-page-size.ts'
import { statusSentence } from './_run/status-sentence.ts'
import { peopleOf, toRunView } from './_run/to-run-view.ts'

type Props = { params: Promise<{ id: string }> }

async function load(params: Props['params']) {
  const { id } = await params
  return orNotFound(getQueryClient().fetchQuery(trpc.goals.getPage.queryOptions({ goal_id: id })))
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const run = await load(params)
  const { ctx } = await getRequestContext()
  const t = await getTranslations('views.status')
  const isClient = ctx.actor.kind === 'person' && ctx.actor.did === run.goal.clientId
  const viewer = { isClient, nameOf: peopleOf(run).nameOf }
  return { title: statusSentence(toRunView(run), { market: ctx.market, viewer, now: ctx.clock.now(), t }).text }
}

export default async function Page({ params }: Props) {
  const run = await load(params)
  const after = Math.max(0, run.head - messagePageSize)
  const { id: goal_id, roomId: room_id } = run.goal
  const client = getQueryClient()
  // What the page would fetch first, and then render again.
  await Promise.all([
    client.prefetchQuery(trpc.conversations.list.queryOptions({ room_id, after, limit: messagePageSize })),
    client.prefetchQuery(trpc.conversations.plans.queryOptions({ room_id })),
    mayHaveDisputes(run) && client.prefetchQuery(trpc.disputes.getOfGoal.queryOptions({ goal_id })),
  ])
  return (
    <Hydrated>
      <LiveGoal goalId={run.goal.id} />
    </Hydrated>
  )
}
