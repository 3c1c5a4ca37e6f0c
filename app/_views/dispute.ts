/** A moment that the chain counts in Unix seconds. */
export function momentOf(seconds: number): Date {
  return new Date(seconds * 1_000)
}

/** "60 %" of 6000 hundredths of a percent. */
export function percentOfBps(bps: number): string {
  return `${bps / 100} %`
}

/** What silence makes of a disputed step: who disputes loses by default, whatever the terms say of silence. */
export function defaultOf(onSilence: 'pay' | 'refund', isByClient: boolean): 'pay' | 'refund' {
  return isByClient ? onSilence : 'refund'
}

/** What becomes of a disputed step that nobody rules or agrees upon. */
export function silenceSentence(onSilence: 'pay' | 'refund'): string {
  return onSilence === 'pay'
    ? 'If nobody has ruled or agreed by then, the step is paid in full.'
    : 'If nobody has ruled or agreed by then, the step’s money goes back to the client.'
}

type Outcome = { readonly state: string; readonly payeeBps: number | null }

/** One plain sentence on where a dispute stands. */
export function disputeSentence({ state, payeeBps }: Outcome): string {
  const share = payeeBps === null ? 'a part' : percentOfBps(payeeBps)
  switch (state) {
    case 'signed':
      return 'The signature is on its way to the chain.'
    case 'open':
      return 'The step’s money stays where it is until somebody rules or both sides agree.'
    case 'ruling':
      return 'The ruling is on its way to the chain.'
    case 'ruled':
      return `The arbitrator ruled: ${share} of the step to the payee, the rest to the client.`
    case 'agreed':
      return `Client and payee agreed: ${share} of the step to the payee, the rest to the client.`
    case 'lapsed':
      return `Nobody ruled in time: ${share} of the step to the payee, the rest to the client.`
    default:
      return 'The escrow did not take it. No money moved.'
  }
}
