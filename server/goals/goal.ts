import {
  type Contest,
  type Criterion,
  canFollow,
  type GivenValue,
  type GoalState,
  goalTransitions,
  type PlannerMode,
  type SilenceOutcome,
} from '@parley/protocol'
import { goalWrongState } from './errors.ts'

export type GoalOutcome = 'delivered' | 'failed' | 'stopped'

type Common = {
  readonly id: string
  readonly postId: string
  readonly clientId: string
  readonly text: string
  readonly criteria: readonly Criterion[]
  /** Values that the client gives for typed inputs of skills. */
  readonly givenValues: readonly GivenValue[]
  /** How entries are submitted and decided; null if one planner claims the goal. */
  readonly contest: Contest | null
  readonly budget: bigint
  readonly asset: string
  readonly deadline: Date
  readonly reviewHours: number
  /** The review of a delivery whose criteria are all met by rule; null: as long as any. */
  readonly checkedReviewHours: number | null
  /** What happens if the client does not answer. */
  readonly onSilence: SilenceOutcome
  /** What rules found about the newest conclusion; null before. */
  readonly checks: GoalChecks | null
  /** How often the client may request changes, and how often it did. */
  readonly revisionRounds: number
  readonly revisions: number
  readonly visibility: 'public' | 'private'
  readonly planner: PlannerMode
  /** The ids of the only eligible planners; empty: the visibility decides. */
  readonly planners: readonly string[]
  readonly roomId: string
  readonly principalId: string | null
  readonly principalAgentId: string | null
  readonly postedAt: Date
  readonly openedAt: Date | null
  readonly claimedAt: Date | null
  readonly settledAt: Date | null
  /** What the client wrote first, if `text` is a suggested reading of it. */
  readonly originalText: string | null
  /** The concluded goal that it follows. */
  readonly followsId: string | null
  readonly version: number
}
/** One criterion with what a rule found. `unchecked`: no rule can decide, so a reviewer or the client does. */
export type CriterionCheck = { readonly text: string; readonly status: 'met' | 'failed' | 'unchecked'; readonly evidence: string }
/** `seq`: the conclusion that was checked. `isVerified`: every criterion was checked by rule and is met. */
export type GoalChecks = { readonly seq: number; readonly isVerified: boolean; readonly criteria: readonly CriterionCheck[] }

/** How the work ended, and the message that the payment is bound to. */
export type Conclusion = {
  readonly outcome: GoalOutcome
  readonly conclusionSeq: number
  readonly concludedAt: Date
  readonly answer: unknown
}
type Unconcluded = {
  readonly outcome: null
  readonly conclusionSeq: null
  readonly concludedAt: null
  readonly answer: null
  readonly reviewBy: null
}

export type Goal =
  | (Common & Unconcluded & { readonly state: 'funding' | 'open' | 'underway' | 'canceled' })
  | (Common & Conclusion & { readonly state: 'review'; readonly reviewBy: Date })
  | (Common & (Conclusion | Unconcluded) & { readonly state: 'settling' | 'paid' | 'refunded'; readonly reviewBy: Date | null })

export type GoalEvent =
  | { readonly type: 'goal.open'; readonly at: Date }
  | { readonly type: 'goal.claim'; readonly principalId: string; readonly principalAgentId: string; readonly at: Date }
  | { readonly type: 'goal.start' }
  | {
      readonly type: 'goal.review'
      readonly outcome: 'delivered' | 'failed'
      readonly seq: number
      readonly at: Date
      readonly answer: unknown
    }
  | { readonly type: 'goal.end'; readonly outcome: 'failed' | 'stopped'; readonly seq: number; readonly at: Date; readonly answer: unknown }
  | { readonly type: 'goal.check'; readonly checks: GoalChecks }
  | { readonly type: 'goal.revise' }
  | { readonly type: 'deadline.extend'; readonly deadline: Date }
  | { readonly type: 'goal.settle' }
  | { readonly type: 'goal.cancel' }
  | { readonly type: 'goal.close'; readonly outcome: 'paid' | 'refunded'; readonly at: Date }

function requireTransition(goal: Goal, to: GoalState, verb: string): void {
  if (!canFollow(goalTransitions, goal.state, to)) throw goalWrongState(goal.state, verb)
}

const unconcluded: Unconcluded = { outcome: null, conclusionSeq: null, concludedAt: null, answer: null, reviewBy: null }

/** The only state transition function of a goal. */
export function advanceGoal(goal: Goal, event: GoalEvent): Goal {
  switch (event.type) {
    case 'goal.open':
      requireTransition(goal, 'open', event.type)
      return { ...goal, ...unconcluded, state: 'open', openedAt: event.at }
    case 'goal.claim':
      if (goal.state !== 'open' && goal.state !== 'underway') throw goalWrongState(goal.state, event.type)
      return { ...goal, principalId: event.principalId, principalAgentId: event.principalAgentId, claimedAt: event.at }
    case 'goal.start':
      if (goal.state === 'underway') return goal
      if (goal.state === 'review') throw goalWrongState(goal.state, event.type)
      requireTransition(goal, 'underway', event.type)
      return { ...goal, ...unconcluded, state: 'underway' }
    case 'goal.review':
      requireTransition(goal, 'review', event.type)
      return {
        ...goal,
        state: 'review',
        outcome: event.outcome,
        conclusionSeq: event.seq,
        concludedAt: event.at,
        answer: event.answer,
        reviewBy: new Date(event.at.getTime() + goal.reviewHours * 3_600_000),
      }
    case 'goal.check':
      return withChecks(goal, event.checks)
    case 'deadline.extend':
      if (goal.state !== 'open' && goal.state !== 'underway' && goal.state !== 'review') throw goalWrongState(goal.state, event.type)
      return { ...goal, deadline: event.deadline }
    case 'goal.revise':
      if (goal.state !== 'review') throw goalWrongState(goal.state, event.type)
      return { ...goal, ...unconcluded, state: 'underway', revisions: goal.revisions + 1 }
    case 'goal.end':
      requireTransition(goal, 'settling', event.type)
      // Only the client can end a delivered goal.
      if (goal.state === 'review' && event.outcome !== 'stopped') throw goalWrongState(goal.state, event.type)
      return {
        ...goal,
        state: 'settling',
        outcome: event.outcome,
        conclusionSeq: event.seq,
        concludedAt: event.at,
        answer: event.answer,
        reviewBy: null,
      }
    case 'goal.settle':
      requireTransition(goal, 'settling', event.type)
      return { ...goal, state: 'settling' }
    case 'goal.cancel':
      requireTransition(goal, 'canceled', event.type)
      return { ...goal, ...unconcluded, state: 'canceled' }
    case 'goal.close':
      requireTransition(goal, event.outcome, event.type)
      return { ...goal, state: event.outcome, settledAt: event.at }
    default:
      return event satisfies never
  }
}

/** Work that rules found complete has a shorter review. */
function withChecks(goal: Goal, checks: GoalChecks): Goal {
  if (goal.state !== 'review') throw goalWrongState(goal.state, 'goal.check')
  const sooner = goal.concludedAt.getTime() + (goal.checkedReviewHours ?? goal.reviewHours) * 3_600_000
  return { ...goal, checks, reviewBy: checks.isVerified ? new Date(Math.min(goal.reviewBy.getTime(), sooner)) : goal.reviewBy }
}

/** Whether nothing more happens to the goal and its money. */
export const isGoalOver = ({ state }: Goal): boolean => state === 'paid' || state === 'refunded' || state === 'canceled'

/** When the review has to end: now, at a later time, or null outside of a review. */
export function reviewAt(goal: Goal, now: Date): Date | 'now' | null {
  if (goal.state !== 'review') return null
  return goal.reviewBy > now ? goal.reviewBy : 'now'
}

/** What the end of a review does without an answer of the client. Work that rules found complete is paid in any case. */
export function silenceOutcomeOf(goal: Goal): SilenceOutcome {
  return goal.checks?.isVerified && goal.checks.seq === goal.conclusionSeq ? 'pay' : goal.onSilence
}

/** When the client is reminded of a review: in the middle of it. */
export function reminderAt({ concludedAt, reviewBy }: Extract<Goal, { state: 'review' }>): Date {
  return new Date((concludedAt.getTime() + reviewBy.getTime()) / 2)
}

/** When work without a conclusion ends: now, at `workBy`, or null. `isRevision`: changes were requested, and their own end comes first. */
export function workDueAt(goal: Goal, { workBy, isRevision }: { workBy: Date; isRevision: boolean }, now: Date): Date | 'now' | null {
  if (goal.state !== 'underway' || isRevision) return null
  return workBy > now ? workBy : 'now'
}

/** When requested changes are abandoned: now, at the deadline, or null without an open request. */
export function revisionDueAt(goal: Goal, isOpen: boolean, now: Date): Date | 'now' | null {
  if (goal.state !== 'underway' || !isOpen) return null
  return goal.deadline > now ? goal.deadline : 'now'
}
