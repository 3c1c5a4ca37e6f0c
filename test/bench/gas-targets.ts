/** The targets of `bench:gas`, and the best figure of anybody else for the same. */

export type Row = {
  readonly operation: string
  /** Its name among the measured figures. */
  readonly figure: string
  /** At most this much gas; a row without one is for comparison only. */
  readonly target?: number
  /** A safety check that is worth more than the target: what it costs, and what for. */
  readonly keeps?: { readonly gas: number; readonly what: string }
  readonly rival?: { readonly name: string; readonly gas: number }
}

const x402 = (gas: number) => ({ name: 'x402 batch settlement (call)', gas })
const mist = (gas: number) => ({ name: 'Mist', gas })

export const rows: readonly Row[] = [
  { operation: 'channel: open', figure: 'openChannel', rival: x402(84_770) },
  { operation: 'channel: open, payer without gas', figure: 'openChannelWithAuthorization', rival: x402(111_738) },
  { operation: 'channel: 10 claims into a credit, each', figure: 'claimMany 10, each', target: 17_000, rival: x402(19_204) },
  { operation: 'channel: one claim, paid out', figure: 'claimVoucher', rival: x402(40_252 + 31_204) },
  { operation: 'channel: pay a credit out', figure: 'withdrawChannelCredit', rival: x402(31_204) },
  { operation: 'channel: close, signed by both', figure: 'closeWithSignatures', rival: x402(53_670) },
  { operation: 'epoch: commit', figure: 'commitEpoch', target: 40_000, rival: mist(246_000) },
  { operation: 'epoch: claim among 4,096', figure: 'claimEpoch 4096 leaves', target: 58_000, rival: mist(78_958) },
  { operation: 'epoch: 1,000 steps to 5 agents, per step', figure: 'epoch of 1,000 steps to 5, per step', target: 450, rival: mist(641) },
  {
    operation: 'epoch: the same, claimed in one transaction',
    figure: 'epoch of 1,000 steps to 5, per step, claimed together',
    target: 450,
    rival: mist(641),
  },
]
