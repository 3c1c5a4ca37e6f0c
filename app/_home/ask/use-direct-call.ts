'use client'
import type { Listing } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CallDetails, ChannelDetails } from '../../_calls/channel-view.ts'
import { isChannelChanging } from '../../_calls/payment-channel-panel.tsx'
import { usePaymentChannelOpening } from '../../_calls/use-payment-channel-opening.ts'
import { useSendCall } from '../../_calls/use-send-call.ts'
import type { QuoteStep } from '../../_quote/use-request-quote.ts'
import { useTRPC } from '../../_trpc/client.tsx'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'
import { toCallInputs } from './to-call-inputs.ts'

/** The deposit of a first question: enough for this many. */
const questions = 5n
/** Beside a channel that closes, another one can be opened. */
const ended = new Set(['closing', 'closed', 'failed'])

type Question = { readonly step: QuoteStep; readonly files: readonly DraftAttachment[] }

/** `none`: a channel has to be opened first. `empty`: the rest does not cover the price. `elsewhere`: only another browser can sign. */
type Stage = 'reading' | 'none' | 'open' | 'empty' | 'elsewhere'

type DirectCall = {
  readonly stage: Stage
  /** The open channel, if there is one. */
  readonly channel: ChannelDetails | undefined
  /** Base units. */
  readonly deposit: bigint
  readonly isBusy: boolean
  readonly answer: CallDetails | null
  readonly error: unknown
  readonly signingError: unknown
  start(): void
}

/** One question to an agent: opens a channel if there is none, and asks as soon as it is open. */
export function useDirectCall(listing: Listing, question: Question): DirectCall {
  const { step } = question
  const trpc = useTRPC()
  const mine = useQuery(trpc.channels.listMine.queryOptions({ side: 'client' }))
  const min = useQuery(trpc.channels.minDeposit.queryOptions()).data
  const own = mine.data?.find((one) => one.agentId === listing.agent_id && !ended.has(one.state))
  const read = useQuery(
    trpc.channels.get.queryOptions(
      { channel_id: own?.id ?? '' },
      { enabled: own !== undefined, refetchInterval: ({ state: { data } }) => (data && isChannelChanging(data.channel) ? 1_000 : false) },
    ),
  )
  const channel = own && read.data?.channel
  const hasKey = useHasKey(channel?.authorizer)
  const { open, signing } = usePaymentChannelOpening(listing)
  const { callId, isSent, error, ask, wish } = useWish({ channel, ...question })
  const isReading = mine.isPending || min === undefined || (own !== undefined && (channel === undefined || hasKey === null))
  const price = BigInt(step.price)
  const deposit = price * questions > (min ?? 0n) ? price * questions : (min ?? 0n)
  const isEnough = channel !== undefined && channel.deposit - channel.earned >= price
  const usable = hasKey !== true ? 'elsewhere' : isEnough || isSent ? 'open' : 'empty'
  const answer = read.data?.calls.find((one) => one.call_id === callId && one.state !== 'requested') ?? null
  return {
    stage: isReading ? 'reading' : channel === undefined ? 'none' : usable,
    channel,
    deposit,
    isBusy: signing.isBusy || isSent,
    answer,
    error: error ?? mine.error ?? read.error,
    signingError: signing.error,
    start: () => {
      if (channel) ask()
      else void open(deposit).then((isTaken) => isTaken && wish())
    },
  }
}

type Wish = Question & {
  readonly channel: { id: `0x${string}`; earned: bigint; authorizer: string; state: string } | undefined
}

/** Sends the question once the channel is open. */
function useWish({ channel, step, files }: Wish) {
  const send = useSendCall()
  const [state, setState] = useState<'idle' | 'wished' | 'sent'>('idle')
  const [callId, setCallId] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  async function ask(): Promise<void> {
    if (!channel) return
    setState('sent')
    setError(null)
    try {
      const given = await toCallInputs(step.inputs ?? [], files)
      setCallId(await send(channel as never, { skill_id: step.skillId, ...given, price: BigInt(step.price) }))
    } catch (failure) {
      setError(failure)
      setState('idle')
    }
  }
  const isOpen = channel?.state === 'open'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chain has confirmed the channel
  useEffect(() => {
    if (state === 'wished' && isOpen) void ask()
  }, [state, isOpen])
  return { callId, isSent: state !== 'idle', error, ask: () => void ask(), wish: () => setState('wished') }
}

/** Whether this browser can sign for the channel; null: not known yet. */
function useHasKey(authorizer: string | undefined): boolean | null {
  const [hasKey, setHasKey] = useState<boolean | null>(null)
  useEffect(() => {
    if (authorizer !== undefined)
      void import('../../_calls/voucher-key.ts').then(({ hasVoucherKey }) => setHasKey(hasVoucherKey(authorizer)))
  }, [authorizer])
  return hasKey
}
