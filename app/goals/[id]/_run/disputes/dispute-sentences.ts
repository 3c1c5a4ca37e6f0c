import type { SilenceOutcome } from '@parley/protocol'
import type { Translate } from '../../../../_messages/translate-types.ts'

/** A time in Unix seconds. */
export function momentOf(seconds: number): Date {
  return new Date(seconds * 1_000)
}

/** "60 %" of 6000 hundredths of a percent. */
export function percentOfBps(bps: number): string {
  return `${bps / 100} %`
}

/** The default outcome of a disputed step: the party that opened the dispute loses, independent of the silence rule. */
export function defaultOf(onSilence: SilenceOutcome, isByClient: boolean): SilenceOutcome {
  return isByClient ? onSilence : 'refund'
}

const silenceKeys = { pay: 'silencePays', refund: 'silenceRefunds', split: 'silenceSplits' } as const

/** The outcome of a disputed step without a ruling or an agreement. */
export function silenceSentence(onSilence: SilenceOutcome, t: Translate<'views.dispute'>): string {
  return t(silenceKeys[onSilence])
}

type Outcome = { readonly state: string; readonly payeeBps: number | null }

/** The state of a dispute, in one sentence. */
export function disputeSentence({ state, payeeBps }: Outcome, t: Translate<'views.dispute'>): string {
  const share = payeeBps === null ? t('part') : percentOfBps(payeeBps)
  switch (state) {
    case 'signed':
      return t('signed')
    case 'open':
      return t('open')
    case 'ruling':
      return t('ruling')
    case 'ruled':
      return t('ruled', { share })
    case 'agreed':
      return t('agreed', { share })
    case 'lapsed':
      return t('lapsed', { share })
    default:
      return t('notAccepted')
  }
}
