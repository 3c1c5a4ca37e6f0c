/** What the product owes its users beyond the end of the money. */
import { codeOf, type Terms } from '../../contracts/model/types.ts'
import type { Actor } from '../explore.ts'
import { planOf } from './escrow-calls.ts'
import type { GoalState } from './goal.ts'

export function goalMoveFault(from: GoalState, to: GoalState, terms: Terms, by: Actor): string | null {
  const before = planOf(from.chain, terms)
  const after = planOf(to.chain, terms)
  if (!before || !after) return null
  const now = from.chain.time
  const { hold } = from
  const [step] = from.steps
  const isEnded = before.codes[0] !== codeOf.ended && after.codes[0] === codeOf.ended
  const disputeBy = 'disputeBy' in hold ? hold.disputeBy : null
  if (by === 'server' && isEnded && disputeBy !== null && now < disputeBy && before.codes[0] === codeOf.pending)
    return 'A returned step went back to the client while its payee could dispute.'
  if (from.isPrompt && isEnded && by === 'server' && isOwedByContest(from, terms) && !before.vetoed && !before.noticed)
    return 'An entry that was chosen, or that silence chooses, was not paid though no one vetoed it.'
  const isDisputed = before.codes[0] === codeOf.disputed
  const isSplit = to.chainEvents.some((event) => event.name === 'StepSplit')
  if (from.isPrompt && isEnded && step?.task === 'split' && !isSplit && before.codes[0] === codeOf.pending && by === 'server')
    return 'A step that the terms split was not paid in half.'
  if (from.isPrompt && isEnded && step?.task === 'accepted' && !isDisputed && by === 'server')
    return 'An accepted step went back to the client.'
  const isChanging = step?.task === 'changing' && step.payout === 'sealed'
  if (from.isPrompt && (terms.onSilence & 1) === 1 && isEnded && !isSplit && isChanging && by === 'server')
    return 'A delivered step went back to the client over requested changes.'
  const isDelivered = step?.isSigned || from.goal.revisions > 0
  const isDone = step?.task === 'completed' && step.payout === 'sealed' && isDelivered
  // Where silence refunds, no one need refuse it.
  const isPaidBySilence = (terms.onSilence & 1) === 1
  if (from.isPrompt && isPaidBySilence && isEnded && !isSplit && isDone && by === 'server')
    return 'A completed step went back to the client though nobody refused it.'
  return from.isPrompt ? lateFault(from, to, terms, by) : null
}

/** An entry that the client left alone: it neither stopped the goal nor vetoed the charter. */
function isOwedByContest({ entry, goal, charters }: GoalState, terms: Terms): boolean {
  if (entry === undefined || goal.outcome === 'stopped' || charters.some(({ veto }) => veto !== null)) return false
  const [newest] = charters.toReversed()
  // Without a veto window only an approval pays.
  if (terms.vetoSeconds === 0) return newest !== undefined && newest.authorization !== null
  // A choice shortly before the deadline leaves no time for the veto window.
  if (entry === 'chosen') return newest !== undefined && newest.createdAt.getTime() / 1_000 + terms.vetoSeconds < terms.workBy
  return entry === 'taken' || (entry === 'submitted' && (terms.onSilence & 1) === 1)
}

/** Where the server is never late, each of its clocks has done its work when the next moment comes. */
function lateFault(from: GoalState, to: GoalState, terms: Terms, by: Actor): string | null {
  if (by !== 'time') return null
  const plan = planOf(to.chain, terms)
  if (plan?.status !== 1) return null
  const now = to.chain.time
  const isOwed = (plan.submitted & 1n) === 1n && plan.codes[0] === codeOf.pending
  if (isOwed && (terms.onSilence & 1) === 1 && now >= terms.expiry) return 'What silence pays was not paid when the review was over.'
  const { hold, goal } = from
  const isReviewOver = goal.state === 'review' && goal.reviewBy !== null && goal.reviewBy.getTime() / 1_000 < from.chain.time
  if (isReviewOver && from.steps.some((step) => step.payout === 'sealed')) return 'The review has ended, and nobody said so.'
  if (from.entry !== undefined && goal.state === 'open' && from.chain.time > terms.workBy)
    return 'The contest has ended, and nobody said so.'
  const isChangeOver = goal.state === 'underway' && goal.revisions > 0 && goal.deadline.getTime() / 1_000 < from.chain.time
  if (isChangeOver) return 'The time for the changes has ended, and nobody said so.'
  const isSettling = hold.state === 'capturing' || hold.state === 'voiding'
  const isWordAwaited = from.wordAt !== null && from.chain.time < from.wordAt + 3_600
  const isFree = isSettling && !isWordAwaited && !plan.closing && (hold.disputeBy ?? 0) < from.chain.time && plan.state !== 1
  if (isFree) return 'A settlement that was asked for was not made.'
  const newest = from.charters.at(-1)
  const isForgotten =
    newest && plan.version === 0 && !newest.veto && from.charters.every((one) => !one.authorization) && !plan.vetoed && !plan.noticed
  const hasTime = from.chain.time < terms.workBy - terms.vetoSeconds - 7_200
  const isSoon = newest && hasTime && now > newest.createdAt.getTime() / 1_000 + 3_600
  return isForgotten && isSoon && terms.vetoSeconds > 0 && hold.state === 'authorized' ? 'A signed charter was never proposed.' : null
}
