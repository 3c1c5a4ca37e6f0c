import type { ChannelState } from '@parley/protocol'
import type { Translate } from '../_messages/translate-types.ts'

type Channel = {
  readonly state: ChannelState
  readonly isCallOpen: boolean
  readonly failure: string | null
  readonly frozenSince: Date | null
  readonly topUp: { readonly failure: string | null } | null
}

/** The meaning of a channel's state for the payer's money; null if the state needs no explanation. */
export function paymentChannelStateNote(
  { state, isCallOpen, failure, frozenSince, topUp }: Channel,
  t: Translate<'views.paymentChannelStateNote'>,
): string | null {
  if (frozenSince !== null) return t('frozen')
  switch (state) {
    case 'opening':
      return t('opening')
    case 'closing':
      if (failure !== null) return t('closeFailed', { failure })
      return isCallOpen ? t('waitsForCall') : t('closing')
    case 'failed':
      return failure
    case 'open':
      if (topUp === null) return null
      return topUp.failure === null ? t('toppingUp') : t('topUpFailed', { failure: topUp.failure })
    case 'closed':
      return null
    default:
      return state satisfies never
  }
}
