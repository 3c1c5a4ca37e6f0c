import type { ErasureRequester } from '@parley/protocol'
import { type Actor, mayOperate } from '../../context.ts'
import { erasureHeldBack, messageNotYours } from '../errors.ts'
import { type Goal, isGoalOver } from '../goal.ts'

export type ErasureRequest = {
  readonly actor: Actor
  /** The legal order that an operator follows. */
  readonly order: string | undefined
  /** The DIDs of the author and of its owner. */
  readonly authorId: string
  readonly ownerId: string | null
  readonly clientId: string
  /** Whether the content was paid for. */
  readonly isPaidWork: boolean
}

/**
 * The legal basis on which this actor may erase the content; pure. Paid work belongs to the payer.
 * @throws message.not_entitled
 */
export function requesterOf({ actor, order, authorId, ownerId, clientId, isPaidWork }: ErasureRequest): ErasureRequester {
  if (order !== undefined) {
    if (mayOperate({ actor })) return 'order'
    throw messageNotYours('Only an operator can name a legal order.')
  }
  const did = actor.kind === 'person' || actor.kind === 'agent' ? actor.did : ''
  if (did === clientId) return 'client'
  if (did !== '' && (did === authorId || did === ownerId)) {
    if (isPaidWork) throw messageNotYours('It is paid work and belongs to its client.')
    return did === authorId ? 'author' : 'owner'
  }
  throw messageNotYours('Its author is another person or agent.')
}

/**
 * Content is evidence until the goal is over and none of its money is open.
 * @throws message.erasure_blocked
 */
export function requireGoalOver(goal: Goal, evidence: string | null): void {
  if (!isGoalOver(goal)) throw erasureHeldBack(goal.id, `The goal is ${goal.state}.`)
  if (evidence !== null) throw erasureHeldBack(goal.id, evidence)
}
