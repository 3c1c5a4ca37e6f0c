/**
 * Follows one goal for a visitor: each message of its room once and in order, and where the goal stands, whenever one of the two
 * has moved. What is told is read from the log, so that it has no gap, and a page at a time, so that a slow reader holds no more.
 */
import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { readPage } from '../../../conversations/index.ts'
import type { WakeListener } from '../../../wake.ts'
import { type GoalStatus, readGoalStatus } from './market-tools.ts'

export type FollowOptions = {
  readonly goalId: string
  /** The last message of the room that the visitor has. */
  readonly after: number
  readonly listener: WakeListener
  /** The visitor, proved anew: a login that has ended sees nothing more. */
  readonly reauthenticate: () => Promise<Context>
  readonly signal: AbortSignal
}

/** `seq`: the last message told. `isCaughtUp`: none was there after it. */
export type GoalUpdate = {
  readonly status: GoalStatus
  readonly messages: readonly DeliveredEnvelope[]
  readonly seq: number
  readonly isCaughtUp: boolean
}

const pageMessages = 50
/** A signal may be lost: then it is looked by itself. */
const pollEveryMs = 5_000
const reauthenticateEveryMs = 15_000

/** Begins with where the goal stands now; ends with the signal. @throws goal.not_found, auth.required, also on the way */
export async function* followGoal(first: Context, following: FollowOptions): AsyncGenerator<GoalUpdate, void, undefined> {
  const { goalId, listener, reauthenticate, signal } = following
  let [ctx, seq, told, groupId] = [first, following.after, '', '']
  let provedAt = Date.now()
  let isMoved = true
  let woken = () => {}
  const move = () => {
    isMoved = true
    woken()
  }
  const stop = listener.on((wake) => {
    if (wake === 'reconnected' || (wake.topic === 'goal' && wake.id === goalId) || (wake.topic === 'group' && wake.id === groupId)) move()
  })
  signal.addEventListener('abort', move)
  try {
    while (!signal.aborted) {
      isMoved = false
      // First where it stands: whatever led there is then among the messages.
      const status = await readGoalStatus(ctx, goalId)
      groupId = status.goal.group_id
      const { messages, isMore } = await readPage(ctx, { groupId, after: seq, limit: pageMessages })
      seq = messages.at(-1)?.seq ?? seq
      const stand = `${status.goal.state} ${status.goal.outcome} ${status.sign !== undefined} ${status.approve?.version}`
      const isCaughtUp = !isMore
      if (messages.length > 0 || stand !== told) yield { status, messages, seq, isCaughtUp }
      told = stand
      if (!isCaughtUp) continue
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        woken = resolve
        timer = setTimeout(resolve, pollEveryMs)
        if (isMoved || signal.aborted) resolve()
      })
      clearTimeout(timer)
      if (Date.now() - provedAt < reauthenticateEveryMs) continue
      ctx = await reauthenticate()
      provedAt = Date.now()
    }
  } finally {
    stop()
    signal.removeEventListener('abort', move)
  }
}
