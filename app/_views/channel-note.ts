import type { ChannelState } from '@parley/protocol'

type Channel = {
  readonly state: ChannelState
  readonly isCallOpen: boolean
  readonly failure: string | null
  readonly frozenSince: Date | null
  readonly topUp: { readonly failure: string | null } | null
}

/** What a channel's state means for the money of who pays; null where the state says it all. */
export function channelNote({ state, isCallOpen, failure, frozenSince, topUp }: Channel): string | null {
  if (frozenSince !== null)
    return 'An event of it could not be booked. The server waits for an operator; the contract’s own ways out still work.'
  switch (state) {
    case 'opening':
      return 'The chain has not confirmed the deposit yet; nothing is sent twice.'
    case 'closing':
      if (failure !== null) return `The chain did not take it: ${failure}`
      return isCallOpen ? 'Waits for the open call, five minutes at most.' : 'The rest is on its way to your wallet.'
    case 'failed':
      return failure
    case 'open':
      if (topUp === null) return null
      return topUp.failure === null ? 'More is on its way in; calls go on.' : `It was not topped up: ${topUp.failure}`
    case 'closed':
      return null
    default:
      return state satisfies never
  }
}
