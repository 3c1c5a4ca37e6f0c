/** The worlds that are searched: those of the whole check, and small ones in which each planted fault shows. */
import type { World } from './explore.ts'
import type { Rules } from './rules.ts'
import { cardWorld } from './worlds/card.ts'
import { channelWorld } from './worlds/channel.ts'
import { disputeWorld } from './worlds/dispute.ts'
import { type GoalProfile, goalWorld } from './worlds/goal.ts'
import { type PlanProfile, planWorld } from './worlds/plan.ts'
import { transactionWorld } from './worlds/transaction.ts'

const day = 86_400
const plan = { steps: 1, charters: 1, silencePays: true, silentReplaced: true, vetoSeconds: day, canDispute: true } as const
const goal = { charters: 1, vetoSeconds: day, canDispute: true, hasAuthorizer: false, isPrompt: true, atContract: 'none' } as const

export type AnyWorld = (rules: Rules) => World<unknown>
const ofPlan = (name: string, change: Partial<PlanProfile> = {}): AnyWorld => {
  return (rules) => planWorld({ name, ...plan, ...change }, rules) as World<unknown>
}
const ofGoal = (name: string, change: Partial<GoalProfile> = {}): AnyWorld => {
  return (rules) => goalWorld({ name, ...goal, ...change }, rules) as World<unknown>
}
const ofChannel = (name: string, isPrompt: boolean): AnyWorld => {
  return (rules) => channelWorld({ name, calls: 2, failures: 1, isPrompt }, rules) as World<unknown>
}
const ofCard = (name: string, change: { failures: number; canDispute: boolean }): AnyWorld => {
  return (rules) => cardWorld({ name, ...change }, rules) as World<unknown>
}
const ofTransaction = (name: string, change: { failures: number; attempts: number }): AnyWorld => {
  return (rules) => transactionWorld({ name, ...change }, rules) as World<unknown>
}

/** Small enough for `npm test`. */
export const small = {
  plan: ofPlan('plan'),
  planThatRefunds: ofPlan('plan, silence refunds', { silencePays: false }),
  planThatSplits: ofPlan('plan, silence splits', { silenceSplits: true }),
  directHire: ofPlan('direct hire, silence refunds', { isDirect: true, silencePays: false }),
  blockedPayee: ofPlan('plan, the token refuses a payee', { isBlocked: true }),
  goal: ofGoal('goal'),
  silentRefund: ofGoal('goal, silence refunds', { silenceRefunds: true, rounds: 1 }),
  silentSplit: ofGoal('goal, silence splits', { silenceSplits: true, rounds: 1 }),
  splitAtContract: ofGoal('goal, silence splits, parties at the contract', { silenceSplits: true, atContract: 'all', canDispute: false }),
  goalWithChanges: ofGoal('goal, changes are requested', { rounds: 1 }),
  partiesAtContract: ofGoal('goal, parties at the contract', { atContract: 'all', canDispute: false }),
  goalWithKey: ofGoal('goal, a session key could approve', { hasAuthorizer: true }),
  quotedGoal: ofGoal('quoted goal', { isQuoted: true, vetoSeconds: 0 }),
  quotedParties: ofGoal('quoted goal, parties at the contract', { isQuoted: true, vetoSeconds: 0, atContract: 'all' }),
  contest: ofGoal('contest', { contest: 'silence', charters: 2 }),
  contestThatRefunds: ofGoal('contest, silence refunds', { contest: 'silence', silenceRefunds: true, charters: 2 }),
  approvedContest: ofGoal('contest, the client decides alone', { contest: 'silence', silenceRefunds: true, vetoSeconds: 0, charters: 2 }),
  checkedContest: ofGoal('contest with a check', { contest: 'check', charters: 2 }),
  lateServer: ofGoal('goal, the server is late', { isPrompt: false }),
  lostKey: ofGoal('goal, the evaluator has lost its key', { isPrompt: false, isKeyLost: true }),
  changingClient: ofGoal("goal, the client's wallet can change its answer", { takesBack: 'client', vetoSeconds: 0 }),
  changingMember: ofGoal('goal, a member can take its signer back', { takesBack: 'member' }),
  channel: ofChannel('channel', true),
  card: ofCard('card', { failures: 1, canDispute: false }),
  dispute: (rules: Rules) => disputeWorld('dispute and offers of a step', rules) as World<unknown>,
  settlement: ofTransaction('transaction of a settlement', { failures: 3, attempts: 5 }),
} satisfies { readonly [name: string]: AnyWorld }

/** All that `check:money` searches. */
export const worlds: readonly AnyWorld[] = [
  ...Object.values(small),
  ofPlan('plan, a charter is replaced', { charters: 2 }),
  ofPlan('plan, members have to agree', { charters: 2, silentReplaced: false }),
  ofPlan('plan, no proposals', { vetoSeconds: 0 }),
  ofPlan('plan, nobody can rule', { canDispute: false }),
  ofPlan('direct hire of two', { steps: 2, isDirect: true }),
  ofGoal('contest, parties at the contract', { contest: 'check', atContract: 'all', canDispute: false }),
  ofGoal('contest, the server is late', { contest: 'silence', isPrompt: false }),
  ofGoal('goal with disputes', { atContract: 'disputes' }),
  ofGoal('goal, a charter is replaced', { charters: 2 }),
  ofGoal('goal, changes are requested twice', { rounds: 2, atContract: 'disputes' }),
  ofGoal('goal, changes are requested, the server is late', { rounds: 2, isPrompt: false }),
  ofChannel('channel, the server is late', false),
  ofCard('card with disputes', { failures: 1, canDispute: true }),
  ofTransaction('transaction of a refund', { failures: 6, attempts: 10_000 }),
]
/** Two payees, all that anyone may do: the largest. */
export const large: readonly AnyWorld[] = [ofPlan('plan of two', { steps: 2 })]
