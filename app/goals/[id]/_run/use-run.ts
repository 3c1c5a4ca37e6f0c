'use client'
import type { DeliveredEnvelope } from '@parley/protocol'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useSubscription } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Run } from '@/server/trpc/read-run.ts'
import { pageSize } from './paging.ts'

/** The goal with all that belongs to it, read again whenever the server says that something changed. */
export function useRun(goalId: string): Run {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const options = trpc.goals.getRun.queryOptions({ goal_id: goalId })
  const { data } = useSuspenseQuery(options)
  useSubscription(
    trpc.goals.changed.subscriptionOptions(
      { goal_id: goalId },
      {
        onData: () => {
          void queryClient.invalidateQueries({ queryKey: options.queryKey })
          void queryClient.invalidateQueries(trpc.goals.getRoomNow.queryFilter())
          void queryClient.invalidateQueries(trpc.conversations.plans.queryFilter())
          void queryClient.invalidateQueries(trpc.disputes.getOfGoal.queryFilter({ goal_id: goalId }))
        },
      },
    ),
  )
  return data
}

/** When the goal was read last, by the server or here. */
export function useReadAt(goalId: string): Date {
  const { queryKey } = useTRPC().goals.getRun.queryOptions({ goal_id: goalId })
  return new Date(useQueryClient().getQueryState(queryKey)?.dataUpdatedAt ?? 0)
}

export type MessageStream = {
  readonly messages: readonly DeliveredEnvelope[]
  /** How many arrived since the page was opened. */
  readonly arrived: number
  readonly isLive: boolean
  readonly isWhole: boolean
}

/** The last messages of a room, and then each new one as it comes. */
export function useMessages(groupId: string, head: number): MessageStream {
  const trpc = useTRPC()
  const [after] = useState(() => Math.max(0, head - pageSize))
  const { data: first } = useSuspenseQuery(
    trpc.conversations.list.queryOptions({ group_id: groupId, after, limit: pageSize }, { staleTime: Number.POSITIVE_INFINITY }),
  )
  const [fresh, setFresh] = useState<readonly DeliveredEnvelope[]>([])
  const { status } = useSubscription(
    trpc.conversations.live.subscriptionOptions(
      { group_id: groupId, after: first.at(-1)?.seq ?? after },
      {
        onData: ({ data }) => setFresh((known) => (known.some((one) => one.seq === data.seq) ? known : [...known, data])),
      },
    ),
  )
  return { messages: [...first, ...fresh], arrived: fresh.length, isLive: status === 'pending', isWhole: after === 0 }
}
