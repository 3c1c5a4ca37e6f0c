'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Confirm } from '../_components/ui/confirm.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import type { ChannelDetails } from './channel-view.ts'

/** Closes a channel: the earnings are paid, the rest is refunded. `isNarrow`: in a table row with little space. */
export function ClosePaymentChannelButton({
  channel,
  isNarrow = false,
}: {
  channel: Pick<ChannelDetails, 'id' | 'name'>
  isNarrow?: boolean
}) {
  const t = useTranslations('calls.closePaymentChannelButton')
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
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
      <Button size="small" isBusy={close.isPending} onClick={() => setAsked(true)}>
        <Undo2 aria-hidden />
        <span>
          {isNarrow ? t('close') : t('closeRefundRest')}
          <span className="sr-only">
            {isNarrow ? ` ${t('channelTo', { name: channel.name })}` : ` ${t('ofChannelTo', { name: channel.name })}`}
          </span>
        </span>
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={t('closeChannel')}
        description={t('takesNoMoreCalls')}
        yes={t('closeAnswer')}
        onYes={() => close.mutate({ channel_id: channel.id })}
      />
      {close.error && <ProblemNotice error={close.error} money={t('noMoneyMoved')} className="basis-full" />}
    </>
  )
}
