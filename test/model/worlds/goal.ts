/**
 * One goal whose money is in the escrow, with the server. Planner, client and payee act through the product or at the contract, or not at
 * all. The server does what the product's own decisions say, and no one else brings anything to the contract.
 */
import type { Address } from 'viem'
import type { Goal } from '../../../server/goals/goal.ts'
import type { Hold } from '../../../server/settlement/holds/hold.ts'
import type { HoldCharter as KeptCharter } from '../../../server/settlement/holds/hold-store.ts'
import { bindCharter } from '../../contracts/model/typed-data.ts'
import { type Call, type ChainEvent, type Charter, codeOf, type Plan, type State, type Terms } from '../../contracts/model/types.ts'
import type { Actor, Move, World } from '../explore.ts'
import type { Rules } from '../rules.ts'
import { book } from './book-escrow-events.ts'
import { type ContestKind, contestMoments, contestMoves, type ModelEntry } from './contest-moves.ts'
import { callsOn, charterInForce, charterOf, feeBps, hash, planOf, type Signing, startTime, total, unfunded, who } from './escrow-calls.ts'
import { goalMoveFault } from './goal-laws.ts'
import { planKey } from './plan.ts'
import { moneyFault } from './plan-laws.ts'
import { serverMoves } from './server-moves.ts'

export type Step = {
  /** `changing`: it was delivered, and the client requested changes. */
  readonly task: 'open' | 'changing' | 'completed' | 'accepted' | 'split' | 'returned'
  /** Its payee has signed for it, so that the server can submit it. */
  readonly isSigned: boolean
  readonly payout: 'none' | 'sealed' | 'paying' | 'disputed' | 'paid' | 'split' | 'refunded'
}
export type EscrowHoldState = Extract<Hold, { rail: 'escrow' }>
export type GoalState = {
  readonly chain: State
  readonly hold: EscrowHoldState
  readonly goal: Goal
  readonly charters: readonly KeptCharter[]
  readonly steps: readonly Step[]
  readonly chainEvents: readonly ChainEvent[]
  /** When the escrow refused to seal the charter in force; null where it never did. Unix seconds. */
  readonly refusedAt: number | null
  /** When the payee signed a dispute that never comes to the escrow; null where it did not. Unix seconds. */
  readonly wordAt: number | null
  /** Of a contest: where its entry stands. Left out of any other goal. */
  readonly entry?: ModelEntry
  /** The server did in time all that it could: time continued only when nothing was left to do. */
  readonly isPrompt: boolean
}
export type GoalProfile = {
  readonly name: string
  readonly charters: 1 | 2
  readonly canDispute: boolean
  readonly vetoSeconds: number
  /** The terms name a key that could approve for the client. */
  readonly hasAuthorizer: boolean
  /** The server is never late. Where it may be, only the end of the money is asked about. */
  readonly isPrompt: boolean
  /** Which calls of their own the parties make at the contract, past the server. */
  readonly atContract: 'all' | 'disputes' | 'none'
  /** The evaluator's key is lost: no settlement can be signed. */
  readonly isKeyLost?: boolean
  /** The terms refund what a silent client leaves open. Left out: they pay it. */
  readonly silenceRefunds?: boolean
  readonly silenceSplits?: boolean
  /** How often the client may request changes. Left out: never. */
  readonly rounds?: number
  /** Whose signature can stop counting: the client's, which is a contract wallet, or the member's, of a signer that it names. */
  readonly takesBack?: 'client' | 'member'
  /** The goal takes an entry instead of a planner, and this decides without the client. */
  readonly contest?: ContestKind
  /** The terms name the charter, so the client approves it by the funding, and no other follows. */
  readonly isQuoted?: boolean
}

const hour = 3_600
const day = 86_400
export const reviewHours = 48
const workBy = startTime + 10 * day
export const at = (seconds: number) => new Date(seconds * 1_000)

export function goalWorld(profile: GoalProfile, rules: Rules): World<GoalState> {
  const charters = [charterOf(1, 1), charterOf(2, 1)].slice(0, profile.charters)
  const terms = termsOf(profile, rules, charters)
  return {
    name: profile.name,
    starts: [startOf(profile, terms, rules, charters)],
    keyOf: (state) => keyOf(state, terms),
    movesOf: (state) => movesOf(state, { terms, charters, rules, profile }),
    isFunded: (state) => planOf(state.chain, terms)?.status === 1 || state.hold.state === 'capturing' || state.hold.state === 'voiding',
    faultOf: (state) => moneyFault(state.chain, terms, charters),
    moveFaultOf: (from, { to, by }) => goalMoveFault(from, to, terms, by),
    ageOf: (state) => state.chain.time - startTime,
    maxSeconds: terms.expiry - startTime + 2 * hour,
  }
}

function termsOf(profile: GoalProfile, rules: Rules, [first]: readonly Charter[]): Terms {
  const { reviewBy, expiry } = rules.holdDeadlines({ workBy, reviewSeconds: reviewHours * hour, canDispute: profile.canDispute })
  const zeroAddress = hash(0).slice(0, 42) as `0x${string}`
  return {
    client: who.client,
    token: who.token,
    total,
    workBy,
    reviewBy,
    expiry,
    feeBps,
    feeTo: who.feeTo,
    evaluator: who.evaluator,
    arbitrator: profile.canDispute ? who.arbitrator : zeroAddress,
    authorizer: profile.hasAuthorizer ? who.authorizer : zeroAddress,
    vetoSeconds: profile.vetoSeconds,
    onSilence: rules.onSilenceOf(silenceOf(profile)),
    charter: profile.isQuoted && first ? bindCharter(first) : hash(0),
    briefHash: hash(1),
    salt: 1n,
  }
}

const silenceOf = ({ silenceRefunds, silenceSplits }: GoalProfile) => (silenceRefunds ? 'refund' : silenceSplits ? 'split' : 'pay')

function startOf(profile: GoalProfile, terms: Terms, rules: Rules, [quoted]: readonly Charter[]): GoalState {
  const { state: paidIn } = rules.escrow(unfunded(), { fn: 'fund', from: who.client, terms })
  const chain = withSigners(paidIn, profile, rules)
  const common = { goalId: 'goal', asset: 'usdc', createdAt: at(startTime), version: 1 }
  const rail = { rail: 'escrow' as const, planId: hash(9), chainId: 1, escrow: who.escrow, terms }
  const opening: Hold = { ...common, ...rail, state: 'authorizing', authorization: null }
  const funded = rules.advanceHold(opening, { type: 'fund', tx: '0xfund' })
  const onSilence = silenceOf(profile)
  const revision = { revisionRounds: profile.rounds ?? 0, revisions: 0, deadline: at(workBy) }
  const goal = {
    id: 'goal',
    state: 'open',
    outcome: null,
    reviewBy: null,
    conclusionSeq: null,
    reviewHours,
    ...revision,
    onSilence,
    checks: null,
  } as unknown as Goal
  const step: Step = { task: 'open', isSigned: false, payout: 'none' }
  const contested = profile.contest ? { entry: 'none' as const } : {}
  const rest = { chainEvents: [], refusedAt: null, wordAt: null, isPrompt: profile.isPrompt, ...contested }
  if (!profile.isQuoted || !quoted) return { chain, hold: funded as EscrowHoldState, goal, charters: [], steps: [step], ...rest }
  // In force from the funding, with its payouts: see `putQuotedCharterInForce`.
  const kept = keptCharter(quoted, 0, startTime)
  const hold = rules.advanceHold(funded, { type: 'seal', charter: { version: 0, hash: quoted.charterHash } }) as EscrowHoldState
  return { chain, hold, goal, charters: [kept], steps: [{ ...step, payout: 'sealed' }], ...rest }
}

function keptCharter({ steps, charterHash }: Charter, version: number, now: number): KeptCharter {
  const own = steps.map((step, i) => ({ ...step, step: i + 1, agentId: 'agent' }))
  const base = { goalId: 'goal', version, hash: charterHash, steps: own, memberSignatures: [], createdAt: at(now) }
  return { ...base, authorization: null, veto: null, sealDueAt: null }
}

/** The charter of the model with this version. That of a quoted goal has 0. */
export const charterOfVersion = (charters: readonly Charter[], version: number): Charter | undefined => charters[Math.max(version, 1) - 1]

function withSigners(chain: State, { takesBack }: GoalProfile, rules: Rules): State {
  if (takesBack === 'client') return { ...chain, wallets: { [who.client]: who.owner } }
  const name = (before: State, from: Address) => rules.escrow(before, { fn: 'setSigner', from, signer: who.delegate, allowed: true }).state
  return takesBack === 'member' ? who.payees.reduce(name, chain) : chain
}

/** How the parties sign in this world. */
export function signingOf({ profile, rules }: GoalModel): Signing {
  const needed = rules.requiredSealSignatures
  if (profile.takesBack === 'client') return { clientKey: who.owner, needed }
  return profile.takesBack === 'member' ? { memberKey: who.delegate, needed } : { needed }
}

/** A signature stops counting: the contract wallet answers another way from now on, or the member takes its signer back. */
function takingBack(from: GoalState, { profile, rules }: GoalModel): Move<GoalState>[] {
  const { chain } = from
  const name = 'a signature stops counting'
  if (profile.takesBack === 'client' && chain.wallets[who.client] === who.owner)
    return [{ name, by: 'client', to: { ...from, chainEvents: [], chain: { ...chain, wallets: { [who.client]: who.stranger } } } }]
  const [payee] = who.payees
  if (profile.takesBack !== 'member' || !chain.signers[`${payee} ${who.delegate}`]) return []
  const { state } = rules.escrow(chain, { fn: 'setSigner', from: payee, signer: who.delegate, allowed: false })
  return [{ name, by: 'payee', to: { ...from, chainEvents: [], chain: state } }]
}

function keyOf(state: GoalState, terms: Terms): string {
  const { chain, hold, goal, charters, steps, refusedAt, wordAt, isPrompt } = state
  const plan = planOf(chain, terms)
  const isOver = plan?.status === 2 && 'settledTx' in hold
  const { charter, disputeBy, bits } = { charter: null, disputeBy: null, bits: 0n, ...hold }
  const kept = charters.map((one) => [one.version, one.authorization !== null, one.veto !== null, one.sealDueAt?.getTime()].join('/'))
  const stepKeys = steps.map((step) => [step.task, step.isSigned, step.payout].join('/'))
  if (isOver) return ['over', goal.state, hold.state].join()
  const signerKeys = [chain.wallets[who.client], ...Object.values(chain.signers), refusedAt, wordAt]
  const goalKey = [goal.state, goal.outcome, goal.reviewBy?.getTime(), goal.revisions, state.entry]
  return [
    chain.time,
    ...planKey(plan),
    hold.state,
    charter?.version,
    disputeBy,
    bits,
    ...goalKey,
    ...kept,
    ...stepKeys,
    ...signerKeys,
    isPrompt,
  ].join()
}

export type GoalModel = {
  readonly terms: Terms
  readonly charters: readonly Charter[]
  readonly rules: Rules
  readonly profile: GoalProfile
}

function movesOf(from: GoalState, model: GoalModel): Move<GoalState>[] {
  const plan = planOf(from.chain, model.terms)
  if (!plan || (plan.status === 2 && 'settledTx' in from.hold)) return []
  const contest = contestMoves(from, plan, model)
  const own = [...serverMoves(from, plan, model), ...contest.filter(({ by }) => by === 'server')]
  const moves = [
    ...own,
    ...contest.filter(({ by }) => by !== 'server'),
    ...inProduct(from, plan, model),
    ...atContract(from, plan, model),
    ...takingBack(from, model),
  ]
  const next = nextMoment(from, plan, model)
  if (next === null || (model.profile.isPrompt && own.length > 0)) return moves
  return [...moves, { name: 'time', by: 'time', to: { ...from, chainEvents: [], chain: { ...from.chain, time: next } } }]
}

/** The next moment at which the contract or one of the product's clocks may say something else. */
function nextMoment({ chain, hold, goal, charters, wordAt }: GoalState, plan: Plan, model: GoalModel): number | null {
  const { terms, rules } = model
  const disputeBy = 'disputeBy' in hold ? (hold.disputeBy ?? 0) : 0
  const due = charters.flatMap((one) => (one.sealDueAt ? [Math.ceil(one.sealDueAt.getTime() / 1_000)] : []))
  const reviewBy = goal.reviewBy ? Math.ceil(goal.reviewBy.getTime() / 1_000) : 0
  const word = wordAt === null ? 0 : wordAt + rules.signatureWaitSeconds
  const own = [rules.latestSafeSealTime(terms, startTime), terms.reviewBy, disputeBy, reviewBy, word, ...due]
  const late = [terms.expiry, terms.expiry + 61, terms.expiry + hour + 1]
  const work = [terms.workBy, terms.workBy + 1]
  const moments = [...own, ...late, ...work, ...contestMoments(model), plan.payableFrom, plan.closableFrom].filter(
    (one) => one > chain.time && one <= terms.expiry + hour + 1,
  )
  return moments.length === 0 ? null : Math.min(...moments)
}

const word = { signer: who.client, signature: '0x' } as const

/** What planner, client and payee say to the server. What it refuses is no move. */
function inProduct(from: GoalState, plan: Plan, model: GoalModel): Move<GoalState>[] {
  const { goal, hold, steps, charters } = from
  const { rules } = model
  const now = from.chain.time
  const moves: Move<GoalState>[] = []
  const add = (name: string, by: Actor, to: () => GoalState | null) => {
    const next = attempt(to)
    if (next) moves.push({ name, by, to: { ...next, chainEvents: [] } })
  }
  const [step] = steps
  if (!step) return []
  const done = step.task === 'completed'
  const isAtWork = goal.state === 'open' || goal.state === 'underway'
  const isContest = model.profile.contest !== undefined
  if (!isContest && hold.state === 'authorized' && isAtWork && charters.length < model.charters.length)
    add('charter is signed', 'planner', () => handOver(from, model))
  if (model.profile.isQuoted && hold.state === 'authorized' && goal.state === 'open')
    add('quoted team has formed', 'planner', () => ({ ...from, goal: rules.advanceGoal(goal, { type: 'goal.start' }) }))
  // No one is asked about a quoted charter: the server refuses an approval and a veto of it.
  const newest = model.profile.isQuoted ? undefined : charters.at(-1)
  const canApprove = hold.state === 'authorized' && rules.isApprovalInTime(model.terms, at(now))
  if (newest && !newest.authorization && !newest.veto && canApprove)
    add('charter is approved', 'client', () => approve(from, model, newest))
  if (newest && !newest.authorization && !newest.veto && plan.version < newest.version)
    add('charter is vetoed', 'client', () => ({ ...from, charters: change(charters, newest, { veto: word, sealDueAt: null }) }))
  const canWork =
    !isContest && 'charter' in hold && hold.charter !== null && step.payout === 'sealed' && isWorkAllowed(plan, hold.charter.version, now)
  if (goal.state === 'underway' && canWork && (step.task === 'open' || step.task === 'changing') && now <= model.terms.workBy)
    add('step is completed', 'payee', () => ({ ...from, steps: [{ ...step, task: 'completed', isSigned: true }] }))
  const isConcludable = goal.state === 'underway' && (done || step.task === 'accepted')
  if (isConcludable) add('goal is concluded', 'planner', () => conclude(from, model, { outcome: 'delivered', from: now }))
  if (isAtWork && !isContest) add('goal has failed', 'planner', () => conclude(from, model, { outcome: 'failed', from: now }))
  // Also before the goal is concluded.
  if ((goal.state === 'underway' || goal.state === 'review') && done && step.payout === 'sealed')
    add('step is accepted', 'client', () => settleGoal({ ...from, steps: [{ ...step, task: 'accepted' }] }, model))
  if (goal.state === 'review' && done && step.payout === 'sealed') {
    if ((plan.submitted & 1n) === 0n)
      add('step is returned', 'client', () => settleGoal({ ...from, steps: [{ ...step, task: 'returned', isSigned: false }] }, model))
  }
  if (goal.state === 'review' && done && step.payout === 'sealed' && (plan.submitted & 1n) === 0n && now < model.terms.workBy)
    add('changes are requested', 'client', () => requestChanges(from, rules))
  const canDispute = model.profile.takesBack === 'member' && from.wordAt === null && now < model.terms.reviewBy
  if (canDispute && (step.payout === 'sealed' || step.payout === 'paying'))
    add('a dispute that never comes is signed', 'payee', () => ({ ...from, wordAt: now, charters: sealNow(from, rules) }))
  if (isAtWork || goal.state === 'review')
    add('goal is canceled', 'client', () => {
      const ended = rules.advanceGoal(goal, { type: 'goal.end', outcome: 'stopped', seq: 1, at: at(now), answer: null })
      return payOut(
        { ...from, goal: ended, steps: restored(steps).map((one) => (one.task === 'completed' ? { ...one, task: 'accepted' } : one)) },
        model,
      )
    })
  return moves
}

/** No one works for what the client may still veto. */
export const isWorkAllowed = (plan: Plan, version: number, now: number) =>
  plan.version < version || plan.state === 2 || plan.payableFrom <= now

export function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    // What the product refuses has a code; anything else is a bug.
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

export function change(charters: readonly KeptCharter[], one: KeptCharter, to: Partial<KeptCharter>): KeptCharter[] {
  return charters.map((other) => (other === one ? { ...other, ...to } : other))
}

export function handOver(from: GoalState, { rules, terms, profile, charters }: GoalModel): GoalState {
  const now = from.chain.time
  const version = from.charters.length + 1
  const wait = profile.hasAuthorizer ? rules.approvalSeconds : 0
  const sealDueAt = rules.canPropose(terms, now + wait) ? at(now + wait) : null
  const kept = keptCharter(charters[version - 1] as Charter, version, now)
  const goal = rules.advanceGoal(from.goal, { type: 'goal.start' })
  return { ...from, goal, charters: [...from.charters, { ...kept, sealDueAt }] }
}

function approve(from: GoalState, { rules, terms, profile }: GoalModel, newest: KeptCharter): GoalState {
  const isFirst = 'charter' in from.hold && from.hold.charter === null && from.charters.every((one) => one.authorization === null)
  const plan = planOf(from.chain, terms)
  const wasSent = (plan?.version ?? 0) > 0
  const isByKey = profile.takesBack !== 'client'
  const isInForce = rules.isInForceAtOnce({ isOnlyCandidate: isFirst && !wasSent, isByKey })
  const sealDueAt = at(isInForce ? rules.latestSafeSealTime(terms, startTime) : from.chain.time)
  const charters = change(from.charters, newest, { authorization: word, sealDueAt })
  if (!isInForce) return { ...from, charters }
  const { version, hash: charterHash } = newest
  const hold = rules.advanceHold(from.hold, { type: 'seal', charter: { version, hash: charterHash } }) as EscrowHoldState
  return { ...from, hold, charters, steps: from.steps.map((step) => ({ ...step, payout: 'sealed' })) }
}

/** The server forgets the payee's signature, because the step is not to be submitted as it is. */
function requestChanges(from: GoalState, rules: Rules): GoalState | null {
  if (from.goal.outcome !== 'delivered' || from.goal.revisions >= from.goal.revisionRounds) return null
  const steps = from.steps.map((step): Step => ({ ...step, task: 'changing', isSigned: false }))
  return { ...from, goal: rules.advanceGoal(from.goal, { type: 'goal.revise' }), steps }
}

/** What was delivered before the changes were requested counts again. */
export function restored(steps: readonly Step[]): readonly Step[] {
  return steps.map((step) => (step.task === 'changing' ? { ...step, task: 'completed' } : step))
}

/** `from`: when the review begins, Unix seconds. */
export function conclude(from: GoalState, model: GoalModel, end: { outcome: 'delivered' | 'failed'; from: number }): GoalState {
  const { rules } = model
  const { outcome } = end
  const base = { outcome, seq: 1, at: at(end.from), answer: null }
  const steps = outcome === 'failed' ? restored(from.steps) : from.steps
  const isDone = steps.some((step) => step.task === 'completed' || step.task === 'accepted')
  if (isDone) return settleGoal({ ...from, steps, goal: rules.advanceGoal(from.goal, { type: 'goal.review', ...base }) }, model)
  const goal = rules.advanceGoal(from.goal, { type: 'goal.end', ...base, outcome: 'failed' })
  const hold = rules.advanceHold(from.hold, { type: 'void', conclusionHash: hash(7), disputeBy: null }) as EscrowHoldState
  return { ...from, goal, hold }
}

/** What is disputed or was split has its own way out. */
export function isOutsideReview(payout: Step['payout'], rules: Rules): boolean {
  return payout !== 'none' && rules.isOutsideReview({ state: payout })
}

/** Once the step has its word, or a dispute of its own that decides. */
export function settleGoal(from: GoalState, model: GoalModel): GoalState {
  const isOpen = from.steps.some((step) => step.task === 'completed' && !isOutsideReview(step.payout, model.rules))
  if (from.goal.state !== 'review' || isOpen) return from
  return payOut({ ...from, goal: model.rules.advanceGoal(from.goal, { type: 'goal.settle' }) }, model)
}

function payOut(from: GoalState, { rules, terms, profile }: GoalModel): GoalState {
  const [step] = from.steps
  const isSplit = step?.task === 'split'
  const bits = (step?.task === 'accepted' || isSplit) && step.payout === 'sealed' ? 1n : 0n
  const isReturned = step?.task === 'returned' && step.payout === 'sealed'
  const canDispute = isReturned && profile.canDispute
  const disputeBy = canDispute ? rules.disputeDeadline(terms, reviewHours * hour, from.chain.time) : null
  const charters = disputeBy === null ? from.charters : sealNow(from, rules)
  const content = { conclusionHash: hash(7), disputeBy }
  if (bits === 0n) return { ...from, charters, hold: rules.advanceHold(from.hold, { type: 'void', ...content }) as EscrowHoldState }
  const hold = rules.advanceHold(from.hold, { type: 'capture', bits, halves: isSplit ? bits : 0n, ...content }) as EscrowHoldState
  return { ...from, charters, hold, steps: from.steps.map((one) => ({ ...one, payout: 'paying' })) }
}

export function sealNow({ hold, charters, chain, refusedAt }: GoalState, rules: Rules): readonly KeptCharter[] {
  const version = 'charter' in hold ? hold.charter?.version : undefined
  const one = charters.find((other) => other.version === version)
  const due = at(Math.max(chain.time, refusedAt === null ? 0 : refusedAt + rules.sealRetrySeconds))
  return one && !(one.sealDueAt && one.sealDueAt <= due) ? change(charters, one, { sealDueAt: due }) : charters
}

/** What the parties do at the contract, past the server. */
function atContract(from: GoalState, plan: Plan, { terms, charters, rules, profile }: GoalModel): Move<GoalState>[] {
  if (profile.atContract === 'none') return []
  const calls = callsOn(terms, plan)
  const charter = charterInForce(plan, charters, terms)
  const inForce: (readonly [Actor, Call])[] = charter
    ? [
        ['client', calls.release(charter, 1n, true)],
        ['client', calls.dispute(charter, 0, who.client)],
        ['payee', calls.dispute(charter, 0, charter.steps[0]?.payee ?? who.stranger)],
        ['arbitrator', calls.rule(charter, 0, 0)],
        ['arbitrator', calls.rule(charter, 0, 4_000)],
        ['client', calls.acceptOffer(charter, 0, { payeeBps: 3_333, deadline: terms.expiry })],
      ]
    : []
  const all: (readonly [Actor, Call])[] = [...inForce, ['client', calls.requestClose(who.client)], ['client', calls.veto(who.client)]]
  const some = profile.atContract === 'all' ? all : all.filter(([, { fn }]) => fn === 'dispute' || fn === 'rule')
  return some.flatMap(([by, what]) => {
    const outcome = rules.escrow(from.chain, what)
    return outcome.error === null ? [{ name: `contract: ${what.fn}`, by, to: book(from, outcome, { terms, rules, charters }) }] : []
  })
}

export { codeOf }
