import { type Criterion, canFollow, type GoalState, goalTransitions, type PlannerMode } from '@parley/protocol'
import { goalWrongState } from './errors.ts'

export type GoalOutcome = 'delivered' | 'failed' | 'stopped'

type Common = {
  readonly id: string
  readonly postId: string
  readonly clientId: string
  readonly text: string
  readonly criteria: readonly Criterion[]
  readonly budget: bigint
  readonly asset: string
  readonly deadline: Date
  readonly reviewHours: number
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
  /** The concluded goal that it follows. */
  /** What the client wrote first, if `text` is a suggested reading of it. */
  readonly originalText: string | null
  readonly followsId: string | null
  readonly version: number
}
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

/** When the review has to end: now, at a later time, or null outside of a review. */
export function reviewAt(goal: Goal, now: Date): Date | 'now' | null {
  if (goal.state !== 'review') return null
  return goal.reviewBy > now ? goal.reviewBy : 'now'
}
