'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../_components/ui/button.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import type { ChannelView } from './channel-view.ts'

/** Ends a channel: what is earned is paid, the rest comes back. `isNarrow`: in a row, where its words have little room. */
export function CloseChannel({ channel, isNarrow = false }: { channel: Pick<ChannelView, 'id' | 'name'>; isNarrow?: boolean }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const close = useMutation(
    trpc.channels.close.mutationOptions({
      onSettled: () =>
        Promise.all([
          queries.invalidateQueries(trpc.channels.listMine.queryFilter()),
          queries.invalidateQueries(trpc.channels.get.queryFilter({ channel_id: channel.id })),
        ]),
    }),
  )
  return (
    <>
      <Button size="small" isBusy={close.isPending} onClick={() => close.mutate({ channel_id: channel.id })}>
        <Undo2 aria-hidden />
        <span>
          {isNarrow ? 'Close' : 'Close and take back the rest'}
          <span className="sr-only">
            {isNarrow ? ' ' : ' of '}the channel to {channel.name}
          </span>
        </span>
      </Button>
      {close.error && <ProblemNotice error={close.error} money="No money moved." className="basis-full" />}
    </>
  )
}
