/** What the server does automatically with a goal in the escrow: each move is one of the product's own decisions, carried out. */
import type { Plan } from '../../contracts/model/types.ts'
import type { Move } from '../explore.ts'
import { book } from './book-escrow-events.ts'
import { callsOn, charterInForce, startTime } from './escrow-calls.ts'
import {
  at,
  attempt,
  change,
  charterOfVersion,
  conclude,
  type GoalModel,
  type GoalState,
  isOutsideReview,
  restored,
  type Step,
  sealNow,
  settleGoal,
  signingOf,
} from './goal.ts'

/** The plan as the product's rail reports it. */
function planView(plan: Plan) {
  const codes = plan.codes.reduce((word, code, i) => word | (BigInt(code) << BigInt(2 * i)), 0n)
  const charter = (['none', 'proposed', 'authorized'] as const)[plan.state]
  const { status, version, closing, payableFrom, submitted } = plan
  return { status, version, charter, codes, closing, payableFrom, submitted, refusesProposals: plan.vetoed || plan.noticed }
}
type View = ReturnType<typeof planView>

export function serverMoves(from: GoalState, plan: Plan, model: GoalModel): Move<GoalState>[] {
  const { rules, terms } = model
  const now = from.chain.time
  const view = planView(plan)
  const moves: Move<GoalState>[] = []
  const add = (name: string, to: GoalState | null) => {
    if (to) moves.push({ name, by: 'server', to })
  }
  if (rules.reviewAt(from.goal, at(now)) === 'now')
    add(
      'review clock',
      attempt(() => lapse(from, model)),
    )
  const { hold, charters, steps } = from
  const isChanging = from.goal.revisions > 0 && from.goal.state === 'underway'
  if (rules.revisionDueAt(from.goal, isChanging, at(now)) === 'now') add('revision clock', endChanges(from, model))
  const work = { workBy: at(terms.workBy), isRevision: isChanging }
  if (rules.workDueAt(from.goal, work, at(now)) === 'now')
    add(
      'work clock',
      attempt(() => ({ ...conclude(from, model, { outcome: 'failed', from: terms.workBy }), chainEvents: [] })),
    )
  const disputeBy = 'disputeBy' in hold ? hold.disputeBy : null
  const payouts = steps.map(({ payout }) => (payout === 'none' || payout === 'split' ? 'replaced' : payout)) as never[]
  const isSealDue = charters.some((one) => one.sealDueAt !== null && one.sealDueAt <= at(now))
  const isDisputeTime = rules.isDisputeTime(disputeBy, payouts, now)
  const { state } = hold
  const own = ('charter' in hold && charters.find(({ version }) => version === hold.charter?.version)) || null
  const sealed = plan.state === 0 ? null : plan
  const isVetoTime = rules.isVetoTime(sealed, own && { version: own.version, isApproved: own.authorization !== null }, now)
  const facts = { state, isSigned: true, expiry: terms.expiry, isClosing: plan.closing, isDisputeTime, isSealDue, isVetoTime }
  const want = rules.nextHoldAction(facts, now)
  if (want === 'seal') add('seal', seal(from, plan, model))
  if (want === 'settle') add('settle', settle(from, plan, model))
  if (want === 'reclaim') add('reclaim', reclaim(from, plan, model))
  add('submit', submit(from, plan, model))
  const silent = rules.stepsToPayByDefault(hold, view, now)
  const charter = charterInForce(plan, model.charters, terms)
  if (silent !== 0n && charter) add('silence', call(from, model, callsOn(terms, plan).settleOnSilence(charter, silent)))
  return moves
}

function call(from: GoalState, model: GoalModel, what: Parameters<GoalModel['rules']['escrow']>[1]): GoalState | null {
  const outcome = model.rules.escrow(from.chain, what)
  return outcome.error === null ? attempt(() => settleGoal(book(from, outcome, model), model)) : null
}

/** No other delivery arrived by the deadline: the one before is in review, for as long as the terms define. */
function endChanges(from: GoalState, { rules }: GoalModel): GoalState {
  const event = { type: 'goal.review', outcome: 'delivered', seq: 1, at: from.goal.deadline, answer: null } as const
  return { ...from, goal: rules.advanceGoal(from.goal, event), steps: restored(from.steps), chainEvents: [] }
}

/** Silence accepts, splits or returns what was delivered, as the terms define. */
function lapse(from: GoalState, model: GoalModel): GoalState | null {
  const isMeant = (step: Step) => step.task === 'completed' && !isOutsideReview(step.payout, model.rules)
  const task = ({ pay: 'accepted', refund: 'returned', split: 'split' } as const)[model.rules.silenceOutcomeOf(from.goal)]
  const steps = from.steps.map((step) => (isMeant(step) ? { ...step, task, isSigned: task !== 'returned' && step.isSigned } : step))
  const to = settleGoal({ ...from, steps, chainEvents: [] }, model)
  return to.goal === from.goal ? null : to
}

function seal(from: GoalState, plan: Plan, model: GoalModel): GoalState | null {
  const { rules, terms, charters } = model
  const { hold, chain } = from
  if ('settledTx' in hold) return null
  const sealing = rules.nextSealing(hold, from.charters, planView(plan), at(chain.time))
  if (!sealing) return finishSealings(from, planView(plan))
  const charter = charters[sealing.charter.version - 1]
  const to =
    charter && call(from, model, callsOn(terms, plan, signingOf(model)).seal(charter, sealing.charter.version, sealing.as === 'proposed'))
  if (to) return to
  if ('charter' in hold && hold.charter?.version === sealing.charter.version) {
    const later = change(from.charters, sealing.charter, { sealDueAt: at(chain.time + rules.sealRetrySeconds) })
    return { ...from, charters: later, refusedAt: chain.time, chainEvents: [] }
  }
  const refused = change(from.charters, sealing.charter, { sealDueAt: null })
  const failed = hold.state === 'authorized' ? rules.advanceHold(hold, { type: 'refuse', failure: 'refused' }) : hold
  return { ...from, hold: failed as typeof hold, charters: refused, chainEvents: [] }
}

function finishSealings(from: GoalState, plan: View): GoalState {
  const now = from.chain.time
  const charters = from.charters.map((one) => {
    if (one.sealDueAt === null || one.sealDueAt > at(now)) return one
    const isWaiting = one.version === plan.version && plan.payableFrom > now
    return { ...one, sealDueAt: isWaiting ? at(plan.payableFrom + 1) : null }
  })
  return { ...from, charters, chainEvents: [] }
}

/** The only step, while its payee's signature is awaited. */
export function heldSteps({ chain, wordAt }: Pick<GoalState, 'chain' | 'wordAt'>, rules: GoalModel['rules']): bigint {
  return wordAt !== null && chain.time < wordAt + rules.signatureWaitSeconds ? 1n : 0n
}

function settle(from: GoalState, plan: Plan, model: GoalModel): GoalState | null {
  const { rules, terms, charters } = model
  const { hold } = from
  const version = 'charter' in hold ? hold.charter?.version : undefined
  const kept = from.charters.find((one) => one.version === version)
  const unpaidSteps = from.steps.flatMap((step, i) => (step.payout === 'sealed' ? [i + 1] : []))
  const facts = {
    plan: planView(plan),
    unpaidSteps,
    isOverwritten: false,
    heldSteps: heldSteps(from, rules),
    canBring: (kept?.authorization ?? null) !== null,
  }
  const next = rules.nextSettlement(hold, { ...facts, isPartUnderway: false, now: from.chain.time })
  if (!next || model.profile.isKeyLost) return null
  const { bits, isHalf, close } = next
  const calls = callsOn(terms, plan, signingOf(model))
  const charter = version === undefined ? undefined : charterOfVersion(charters, version)
  if (next.charter === 'none' || !charter || version === undefined)
    return call(from, model, calls.settle({ steps: [], royalties: [], charterHash: `0x${'0'.repeat(64)}` }, bits, close))
  if (next.charter === 'brought') return call(from, model, calls.sealAndSettle(charter, version, { bits, close }))
  return call(from, model, isHalf ? calls.settleHalf(charter, bits, close) : calls.settle(charter, bits, close))
}

function reclaim(from: GoalState, plan: Plan, model: GoalModel): GoalState | null {
  const { rules, terms, charters } = model
  const kind = rules.nextReclaim(from.hold, planView(plan), from.chain.time)
  const charter = charterInForce(plan, charters, terms)
  if (kind === 'refund') return call(from, model, callsOn(terms, plan).refund())
  return kind === 'closeExpired' && charter ? call(from, model, callsOn(terms, plan).closeExpired(charter)) : null
}

function submit(from: GoalState, plan: Plan, model: GoalModel): GoalState | null {
  const [step] = from.steps
  const version = 'charter' in from.hold ? from.hold.charter?.version : undefined
  if (!step?.isSigned || version === undefined) return null
  const next = model.rules.nextSubmission(from.hold, planView(plan), { step: 1, version, openedAt: startTime, now: from.chain.time })
  if (next === 'seal') {
    const charters = sealNow(from, model.rules)
    return charters === from.charters ? null : { ...from, charters, chainEvents: [] }
  }
  const charter = charterOfVersion(model.charters, version)
  return next === 'submit' && charter ? call(from, model, callsOn(model.terms, plan).submit(charter, 0)) : null
}
