'use client'
import { type ArtifactUpload, prefixedId, type TaskInput, uuidv7 } from '@parley/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import { useMarket } from '../_components/market-provider.tsx'
import type { ChannelDetails } from './channel-view.ts'

type Call = {
  readonly skill_id: string
  readonly inputs: readonly TaskInput[]
  readonly attachments: readonly ArtifactUpload[]
  /** Base units. */
  readonly price: bigint
}

/** Sends one call over an open channel. This browser signs its voucher without a dialog. Returns the id of the call. */
export function useSendCall() {
  const t = useTranslations('calls.callForm')
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const market = useMarket()

  return async (channel: Pick<ChannelDetails, 'id' | 'earned' | 'authorizer'>, call: Call): Promise<string> => {
    const { signVoucher } = await import('./voucher-key.ts')
    const amount = channel.earned + call.price
    const call_id = prefixedId('cal', uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))))
    try {
      await api.channels.ask.mutate({
        ...{ call_id, channel_id: channel.id, skill_id: call.skill_id },
        ...{ inputs: [...call.inputs], attachments: [...call.attachments] },
        max_claimable_amount: amount.toString(),
        signature: await signVoucher(market, { authorizer: channel.authorizer, channelId: channel.id, amount }, t),
      })
    } finally {
      await queries.invalidateQueries(trpc.channels.get.queryFilter({ channel_id: channel.id }))
    }
    return call_id
  }
}
