/** The gas targets of `bench:gas`, and the best published figure of comparable contracts. */

/** The cost of a check in this row: the difference to a build without it. */
export type KeptFeature = { readonly gas: number; readonly what: string }

export type GasTarget = {
  readonly operation: string
  /** Its name among the measured figures. */
  readonly figure: string
  /** At most this much gas; a row without one is for comparison only. */
  readonly target?: number
  /** A feature that is kept despite its cost: printed if the target is missed, which it does not excuse. */
  readonly keeps?: readonly KeptFeature[]
  readonly rival?: { readonly name: string; readonly gas: number }
}

const x402 = (gas: number) => ({ name: 'x402 batch settlement (call)', gas })
const payments = (gas: number) => ({ name: 'commerce-payments', gas })
const erc8183 = (gas: number) => ({ name: 'ERC-8183', gas })
const olas = (gas: number) => ({ name: 'Olas', gas })
/** No comparable contract pays a team: each step would be a separate job. */
const aJobEach = { name: 'ERC-8183, a job each', gas: 497_387 }

const received = (gas: number): KeptFeature => ({ gas, what: 'seeing that the money arrived' })
const locked = (gas: number): KeptFeature => ({ gas, what: 'the lock against reentrance' })
const agreed = (gas: number): KeptFeature => ({ gas, what: 'checking the terms' })
const sound = (gas: number): KeptFeature => ({ gas, what: 'checking the payees and sums of a charter that came with the terms' })

const byCall = "settled by the evaluator's call"

const plans: readonly GasTarget[] = [
  {
    operation: 'plan: single job, fund + settle',
    figure: 'direct hire of 1: all, per step',
    keeps: [received(1444), locked(706), agreed(820), sound(517)],
    target: 130_812,
    rival: payments(207_883),
  },
  {
    operation: 'plan: single job, the evaluator calls',
    figure: `direct hire of 1, ${byCall}: all, per step`,
    keeps: [received(1444), locked(706), agreed(820), sound(517)],
    target: 130_812,
    rival: payments(207_883),
  },
  {
    operation: 'plan: single job, no party has gas',
    figure: 'direct hire of 1, gasless: all',
    keeps: [received(1444), locked(706), agreed(820), sound(517)],
    target: 165_000,
    rival: payments(207_883),
  },
  {
    operation: 'plan: fund by allowance',
    figure: 'fund',
    keeps: [received(1444), locked(353), agreed(820)],
    target: 70_256,
    rival: erc8183(101_490),
  },
  {
    operation: 'plan: fund by ERC-3009',
    figure: 'fundWithAuthorization',
    keeps: [received(1444), locked(353), agreed(820)],
    target: 102_000,
    rival: payments(143_003),
  },
  {
    operation: 'plan: fund by Permit2',
    figure: 'fundWithPermit2',
  },
  {
    operation: 'plan: settle 1 step',
    figure: 'direct hire of 1: settle',
    keeps: [locked(353), sound(517)],
    target: 60_256,
    rival: erc8183(64_497),
  },
  {
    operation: 'plan: settle 1 step, the evaluator calls',
    figure: `direct hire of 1, ${byCall}: settle`,
    keeps: [locked(353), sound(517)],
    target: 60_256,
    rival: erc8183(64_497),
  },
  {
    operation: 'plan: 5 payees, per paid step',
    figure: 'direct hire of 5: all, per step',
    keeps: [received(289), locked(141), agreed(164), sound(244)],
    target: 35_162,
    rival: aJobEach,
  },
  {
    operation: 'plan: 10 payees, per paid step',
    figure: 'direct hire of 10: all, per step',
    keeps: [received(144), locked(71), agreed(82), sound(210)],
    target: 24_000,
    rival: aJobEach,
  },
  {
    operation: 'plan: 50 payees, per paid step',
    figure: 'direct hire of 50: all, per step',
    keeps: [received(29), locked(14), agreed(16), sound(183)],
    target: 14_500,
    rival: aJobEach,
  },
  {
    operation: 'plan: 10 steps to 3 payees, per paid step',
    figure: 'direct hire, 10 steps to 3 payees: all, per step',
    keeps: [received(144), locked(71), agreed(82), sound(210)],
    target: 17_000,
    rival: aJobEach,
  },
  {
    operation: 'plan: 50 steps to 5 payees, per paid step',
    figure: 'direct hire, 50 steps to 5 payees: all, per step',
    keeps: [received(29), locked(14), agreed(16), sound(183)],
    target: 5000,
    rival: aJobEach,
  },
  {
    operation: 'plan: one more payee',
    figure: 'direct hire: one more payee',
    target: 12_000,
    rival: { name: 'x402 batch settlement, its transfer alone (call)', gas: 25_745 },
  },
  {
    operation: 'plan: 50 plans in one fundMany, each',
    figure: 'fundMany 50, each',
    keeps: [received(29), locked(7), agreed(820)],
    target: 32_000,
    rival: olas(167_773),
  },
  {
    operation: 'plan: 50 plans in one settleMany, each',
    figure: 'settleMany 50, each',
    keeps: [locked(7), sound(517)],
    target: 28_000,
    rival: olas(44_481),
  },
  {
    operation: 'plan: 50 plans in one settleMany, the evaluator calls, each',
    figure: 'settleMany 50, each, the evaluator calls',
    keeps: [locked(7), sound(517)],
    target: 28_000,
    rival: olas(44_481),
  },
  {
    operation: 'plan: 50 plans, both, each',
    figure: 'fundMany + settleMany 50, each',
    keeps: [received(29), locked(14), agreed(820), sound(517)],
    rival: olas(212_254),
  },
  { operation: 'plan: refund', figure: 'refund', keeps: [locked(353)], target: 50_000, rival: erc8183(57_543) },
  { operation: 'plan: seal 5, authorized, signed by all', figure: 'seal 5' },
  { operation: 'plan: 5 payees, sealed later, per paid step', figure: 'fund + seal + settle, per step of 5', rival: aJobEach },
]

/** An open bounty as the product sends it: paid in by ERC-3009, its charter authorized by a session key, a fee of 2.5 %. */
const bounties: readonly GasTarget[] = [
  { operation: 'bounty: 1 payee, all', figure: 'open bounty, 1 payee: all', target: 235_000, rival: payments(207_883) },
  {
    operation: 'bounty: 3 payees, all',
    figure: 'open bounty, 3 payees: all',
    target: 270_000,
    rival: { name: 'ERC-8183, a job each', gas: 3 * 497_387 },
  },
  { operation: 'bounty: 1 payee, seal and settle', figure: 'open bounty, 1 payee: seal and settle' },
  {
    operation: 'bounty: 10 due at once, sealed before, each',
    figure: 'open bounty, 10 due at once: settled, each',
    target: 40_000,
    rival: olas(44_481),
  },
  {
    operation: 'bounty: 10 due at once, sealed and settled, each',
    figure: 'open bounty, 10 due at once: sealed and settled, each',
    target: 57_000,
  },
]

const channels: readonly GasTarget[] = [
  { operation: 'channel: open', figure: 'openChannel', rival: x402(84_770) },
  { operation: 'channel: open, payer without gas', figure: 'openChannelWithAuthorization', rival: x402(111_738) },
  { operation: 'channel: 10 claims into a credit, each', figure: 'claimMany 10, each', target: 17_000, rival: x402(19_204) },
  { operation: 'channel: one claim, paid out', figure: 'claimVoucher', rival: x402(40_252 + 31_204) },
  { operation: 'channel: pay a credit out', figure: 'withdrawChannelCredit', rival: x402(31_204) },
  { operation: 'channel: close, signed by both', figure: 'closeWithSignatures', rival: x402(53_670) },
]

export const gasTargets: readonly GasTarget[] = [...plans, ...bounties, ...channels]
