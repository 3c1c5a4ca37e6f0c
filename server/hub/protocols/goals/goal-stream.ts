/**
 * Follows one goal for a visitor: each message of its room once and in order, and where the goal stands, whenever one of the two
 * has moved. What is told is read from the log, so that it has no gap, and a page at a time, so that a slow reader holds no more.
 */
import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { readPage } from '../../../conversations/index.ts'
import type { WakeListener } from '../../../wake.ts'
import { type Standing, standing } from './market-tools.ts'

export type Following = {
  readonly goalId: string
  /** The last message of the room that the visitor has. */
  readonly after: number
  readonly listener: WakeListener
  /** The visitor, proved anew: a login that has ended sees nothing more. */
  readonly again: () => Promise<Context>
  readonly signal: AbortSignal
}

/** `seq`: the last message told. `isCaughtUp`: none was there after it. */
export type Step = {
  readonly stands: Standing
  readonly messages: readonly DeliveredEnvelope[]
  readonly seq: number
  readonly isCaughtUp: boolean
}

const pageMessages = 50
/** A signal may be lost: then it is looked by itself. */
const lookEveryMs = 5_000
const proveEveryMs = 15_000

/** Begins with where the goal stands now; ends with the signal. @throws goal.not_found, auth.required, also on the way */
export async function* followGoal(first: Context, following: Following): AsyncGenerator<Step, void, undefined> {
  const { goalId, listener, again, signal } = following
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
      const stands = await standing(ctx, goalId)
      groupId = stands.goal.group_id
      const { messages, isMore } = await readPage(ctx, { groupId, after: seq, limit: pageMessages })
      seq = messages.at(-1)?.seq ?? seq
      const stand = `${stands.goal.state} ${stands.goal.outcome} ${stands.sign !== undefined} ${stands.approve?.version}`
      const isCaughtUp = !isMore
      if (messages.length > 0 || stand !== told) yield { stands, messages, seq, isCaughtUp }
      told = stand
      if (!isCaughtUp) continue
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        woken = resolve
        timer = setTimeout(resolve, lookEveryMs)
        if (isMoved || signal.aborted) resolve()
      })
      clearTimeout(timer)
      if (Date.now() - provedAt < proveEveryMs) continue
      ctx = await again()
      provedAt = Date.now()
    }
  } finally {
    stop()
    signal.removeEventListener('abort', move)
  }
}
