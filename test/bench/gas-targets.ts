/** The targets of `bench:gas`, and the best figure of anybody else for the same. */

/** What a check costs this row: the difference to a build without that check. */
export type Kept = { readonly gas: number; readonly what: string }

export type Row = {
  readonly operation: string
  /** Its name among the measured figures. */
  readonly figure: string
  /** At most this much gas; a row without one is for comparison only. */
  readonly target?: number
  /** What is kept though it costs: printed where the target is missed, and no excuse for missing it. */
  readonly keeps?: readonly Kept[]
  readonly rival?: { readonly name: string; readonly gas: number }
}

const x402 = (gas: number) => ({ name: 'x402 batch settlement (call)', gas })
const mist = (gas: number) => ({ name: 'Mist', gas })
const payments = (gas: number) => ({ name: 'commerce-payments', gas })
const erc8183 = (gas: number) => ({ name: 'ERC-8183', gas })
const olas = (gas: number) => ({ name: 'Olas', gas })
/** Nobody else pays a team: each step would be a job of its own. */
const aJobEach = { name: 'ERC-8183, a job each', gas: 497_387 }

const received = (gas: number): Kept => ({ gas, what: 'seeing that the money arrived' })
const locked = (gas: number): Kept => ({ gas, what: 'the lock against reentrance' })
const agreed = (gas: number): Kept => ({ gas, what: 'checking the terms' })
const sound = (gas: number): Kept => ({ gas, what: 'checking the payees and sums of a charter that came with the terms' })
const sharedEscrow: Kept = { gas: 22_100, what: 'the word of a plan in the shared escrow' }

const byCall = "settled by the evaluator's call"

const plans: readonly Row[] = [
  {
    operation: 'plan: single job, fund + settle',
    figure: 'direct hire of 1: all, per step',
    keeps: [received(1444), locked(706), agreed(820), sound(517)],
    target: 130_000,
    rival: payments(207_883),
  },
  {
    operation: 'plan: single job, the evaluator calls',
    figure: `direct hire of 1, ${byCall}: all, per step`,
    keeps: [received(1444), locked(706), agreed(820), sound(517)],
    target: 130_000,
    rival: payments(207_883),
  },
  {
    operation: 'plan: single job, nobody has gas',
    figure: 'direct hire of 1, gasless: all',
    keeps: [received(1444), locked(706), agreed(820), sound(517)],
    target: 165_000,
    rival: payments(207_883),
  },
  {
    operation: 'plan: fund by allowance',
    figure: 'fund',
    keeps: [received(1444), locked(353), agreed(820)],
    target: 68_000,
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
    target: 58_000,
    rival: erc8183(64_497),
  },
  {
    operation: 'plan: settle 1 step, the evaluator calls',
    figure: `direct hire of 1, ${byCall}: settle`,
    keeps: [locked(353), sound(517)],
    target: 58_000,
    rival: erc8183(64_497),
  },
  {
    operation: 'plan: 5 payees, per paid step',
    figure: 'direct hire of 5: all, per step',
    keeps: [received(289), locked(141), agreed(164), sound(244)],
    target: 35_000,
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
    target: 22_000,
    rival: olas(44_481),
  },
  {
    operation: 'plan: 50 plans, both, each',
    figure: 'fundMany + settleMany 50, each',
    keeps: [received(29), locked(14), agreed(820), sound(517)],
    target: 54_000,
    rival: olas(212_254),
  },
  { operation: 'plan: refund', figure: 'refund', keeps: [locked(353)], target: 50_000, rival: erc8183(57_543) },
  { operation: 'plan: seal 5, by the evaluator', figure: 'seal 5' },
  { operation: 'plan: seal 5, agreed by all', figure: 'seal 5, agreed' },
  { operation: 'plan: 5 payees, sealed later, per paid step', figure: 'fund + seal + settle, per step of 5', rival: aJobEach },
]

const jobs: readonly Row[] = [
  { operation: 'job: five calls', figure: 'job: five calls', keeps: [sharedEscrow], target: 290_000, rival: erc8183(497_387) },
  {
    operation: 'job: createAndFund, submit, complete',
    figure: 'job: createAndFund, submit, complete',
    keeps: [sharedEscrow],
    target: 218_000,
    rival: erc8183(497_387),
  },
  { operation: 'job: claimRefund', figure: 'job: claimRefund', rival: erc8183(57_543) },
]

const channels: readonly Row[] = [
  { operation: 'channel: open', figure: 'openChannel', rival: x402(84_770) },
  { operation: 'channel: open, payer without gas', figure: 'openChannelWithAuthorization', rival: x402(111_738) },
  { operation: 'channel: 10 claims into a credit, each', figure: 'claimMany 10, each', target: 17_000, rival: x402(19_204) },
  { operation: 'channel: one claim, paid out', figure: 'claimVoucher', rival: x402(40_252 + 31_204) },
  { operation: 'channel: pay a credit out', figure: 'withdrawChannelCredit', rival: x402(31_204) },
  { operation: 'channel: close, signed by both', figure: 'closeWithSignatures', rival: x402(53_670) },
]

const epochs: readonly Row[] = [
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

export const rows: readonly Row[] = [...plans, ...jobs, ...channels, ...epochs]
