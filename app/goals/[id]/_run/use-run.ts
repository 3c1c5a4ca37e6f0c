'use client'
import type { DeliveredEnvelope } from '@parley/protocol'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useSubscription } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { messagePageSize } from './message-page-size.ts'

/** The goal with all its data. */
export function useRun(goalId: string): Run {
  return useSuspenseQuery(useTRPC().goals.getPage.queryOptions({ goal_id: goalId })).data
}

/** When the goal was read last, by the server or here. */
export function useReadAt(goalId: string): Date {
  const { queryKey } = useTRPC().goals.getPage.queryOptions({ goal_id: goalId })
  return new Date(useQueryClient().getQueryState(queryKey)?.dataUpdatedAt ?? 0)
}

export type MessageStream = {
  readonly messages: readonly DeliveredEnvelope[]
  /** The number of messages since the page was opened. */
  readonly arrived: number
  readonly isLive: boolean
  readonly isWhole: boolean
}

/**
 * The last messages of a goal's room, and each new one. It is the only stream of its page. When the server signals a change, it also
 * reloads all data of the goal on the page.
 */
export function useMessages({ goal, head }: Pick<Run, 'goal' | 'head'>): MessageStream {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { id: goalId, roomId } = goal
  const [after] = useState(() => Math.max(0, head - messagePageSize))
  const { data: first } = useSuspenseQuery(
    trpc.conversations.list.queryOptions({ room_id: roomId, after, limit: messagePageSize }, { staleTime: Number.POSITIVE_INFINITY }),
  )
  const [fresh, setFresh] = useState<readonly DeliveredEnvelope[]>([])
  const readAgain = () => {
    void queryClient.invalidateQueries(trpc.goals.getPage.queryFilter({ goal_id: goalId }))
    void queryClient.invalidateQueries(trpc.goals.getRoom.queryFilter({ goal_id: goalId }))
    void queryClient.invalidateQueries(trpc.goals.getRoomStatus.queryFilter())
    void queryClient.invalidateQueries(trpc.conversations.plans.queryFilter())
    void queryClient.invalidateQueries(trpc.disputes.getOfGoal.queryFilter({ goal_id: goalId }))
    void queryClient.invalidateQueries(trpc.contests.list.queryFilter({ goal_id: goalId as never }))
  }
  const add = (message: DeliveredEnvelope) =>
    setFresh((known) => (known.some((one) => one.seq === message.seq) ? known : [...known, message]))
  const { status } = useSubscription(
    trpc.conversations.follow.subscriptionOptions(
      { goal_id: goalId, room_id: roomId, after: first.at(-1)?.seq ?? after },
      { onData: ({ data }) => (data.kind === 'message' ? add(data.message) : readAgain()) },
    ),
  )
  return { messages: [...first, ...fresh], arrived: fresh.length, isLive: status === 'pending', isWhole: after === 0 }
}
