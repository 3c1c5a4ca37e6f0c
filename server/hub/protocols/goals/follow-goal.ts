/**
 * Streams one goal to a foreign client: each message of its room in order, and the status after every change.
 * It reads pages of the log, so that the stream has no gaps and a slow reader uses little memory.
 */
import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { readPage } from '../../../conversations/index.ts'
import type { SignalSource } from '../../../signals/signal.ts'
import { type GoalStatus, readGoalStatus } from './goal-status.ts'

export type FollowOptions = {
  readonly goalId: string
  /** The last message that the client has. */
  readonly after: number
  readonly listener: SignalSource
  /** Authenticates the client again, so that an expired login receives nothing more. */
  readonly reauthenticate: () => Promise<Context>
  readonly signal: AbortSignal
}

/** `seq`: the last message sent. `isCaughtUp`: no message follows. */
export type GoalUpdate = {
  readonly status: GoalStatus
  readonly messages: readonly DeliveredEnvelope[]
  readonly seq: number
  readonly isCaughtUp: boolean
}

const pageMessages = 50
/** A signal may be lost, so the goal is also polled. */
const pollEveryMs = 5_000
const reauthenticateEveryMs = 15_000

/** Starts with the current status and ends with the signal. @throws goal.not_found, auth.required, also later */
export async function* followGoal(first: Context, following: FollowOptions): AsyncGenerator<GoalUpdate, void, undefined> {
  const { goalId, listener, reauthenticate, signal } = following
  let [ctx, seq, reported, roomId] = [first, following.after, '', '']
  let provedAt = Date.now()
  let isMoved = true
  let woken = () => {}
  const move = () => {
    isMoved = true
    woken()
  }
  const stop = listener.on((wake) => {
    if (wake === 'reconnected' || (wake.topic === 'goal' && wake.id === goalId) || (wake.topic === 'room' && wake.id === roomId)) move()
  })
  signal.addEventListener('abort', move)
  try {
    while (!signal.aborted) {
      // Also within a backlog: no message follows a login that ended.
      if (Date.now() - provedAt >= reauthenticateEveryMs) {
        ctx = await reauthenticate()
        provedAt = Date.now()
      }
      isMoved = false
      // The status is read first, so that the messages that led to it are included.
      const status = await readGoalStatus(ctx, goalId)
      roomId = status.goal.room_id
      const { messages, isMore } = await readPage(ctx, { roomId, after: seq, limit: pageMessages })
      seq = messages.at(-1)?.seq ?? seq
      const stand = `${status.goal.state} ${status.goal.outcome} ${status.sign !== undefined} ${status.approve?.version}`
      const isCaughtUp = !isMore
      if (messages.length > 0 || stand !== reported) yield { status, messages, seq, isCaughtUp }
      reported = stand
      if (!isCaughtUp) continue
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        woken = resolve
        timer = setTimeout(resolve, pollEveryMs)
        if (isMoved || signal.aborted) resolve()
      })
      clearTimeout(timer)
    }
  } finally {
    stop()
    signal.removeEventListener('abort', move)
  }
}
