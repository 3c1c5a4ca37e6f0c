import type { ErasureGround } from '@parley/protocol'
import type { Actor } from '../../context.ts'
import { erasureHeldBack, messageNotYours } from '../errors.ts'
import type { Goal } from '../goal.ts'

export type ErasureRequest = {
  readonly actor: Actor
  /** The legal order that an operator follows. */
  readonly order: string | undefined
  /** DID of who said or brought it, and of the person behind that agent. */
  readonly authorId: string
  readonly ownerId: string | null
  readonly clientId: string
  /** Whether it was handed over for pay. */
  readonly isPaidWork: boolean
}

/** On which ground this actor may have it erased; pure. What was paid for is its payer's. @throws message.not_yours */
export function legalBasisOf({ actor, order, authorId, ownerId, clientId, isPaidWork }: ErasureRequest): ErasureGround {
  if (order !== undefined) {
    if (actor.kind === 'system' || (actor.kind === 'person' && actor.isOperator)) return 'order'
    throw messageNotYours('Only operators follow a legal order.')
  }
  const did = actor.kind === 'person' || actor.kind === 'agent' ? actor.did : ''
  if (did === clientId) return 'client'
  if (did !== '' && (did === authorId || did === ownerId)) {
    if (isPaidWork) throw messageNotYours('It was delivered for pay, and is its client’s.')
    return did === authorId ? 'author' : 'owner'
  }
  throw messageNotYours('Somebody else has said or brought it.')
}

/** Words and files are evidence until a goal is over and nothing of its money is open. @throws message.held_back */
export function requireGoalOver(goal: Goal, evidence: string | null): void {
  const isOver = goal.state === 'paid' || goal.state === 'refunded' || goal.state === 'canceled'
  if (!isOver) throw erasureHeldBack(goal.id, `The goal is ${goal.state}.`)
  if (evidence !== null) throw erasureHeldBack(goal.id, evidence)
}
