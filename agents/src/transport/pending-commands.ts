/**
 * Commands on their way. One that has no answer yet is sent again after every reconnect with the same ids, so that it
 * takes effect once; an answer that says "later" is waited for and asked again.
 */
import { type Json, maxFrameBytes, type Problem } from '@parley/protocol'
import { frameTooLarge, ProblemError, sessionBusy } from '../errors.ts'
import { type Backoff, waitMs } from './reconnecting-socket.ts'

/** Passing troubles, which the same command outlives. What depends on others (`task.blocked`) is the caller's to wait for. */
const passing = new Set(['rate.exceeded', 'server.unavailable', 'conflict.version'])
const maxWaiting = 1_000
const maxWaitingBytes = 64 * 1024 * 1024
const maxTries = 6

type Call = {
  readonly text: string
  readonly bytes: number
  tries: number
  resolve(result: Json): void
  reject(error: unknown): void
}

export type Calls = {
  /** @throws {ProblemError} `session.busy`, `session.frame_too_large`, or what the server refused with. */
  ask(id: string | number, command: object, trace?: string): Promise<Json>
  answered(id: string | number, result: Json): void
  /** False where no command of ours has this id. */
  refused(id: string | number, problem: Problem): boolean
  /** Sends all unanswered commands once more, in their order. */
  repeat(): void
  /** Gives up on all of them. */
  abandon(error: unknown): void
  readonly waiting: number
}

/** How long the server itself asks to wait. */
export function askedWaitMs({ retry_after, facts }: Problem): number {
  const seconds = retry_after ?? facts?.retry_after_seconds
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 60) * 1_000 : 0
}

export function createCalls(send: (text: string) => boolean, backoff: Backoff): Calls {
  const open = new Map<string, Call>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let bytesWaiting = 0

  function end(id: string | number): Call | undefined {
    const call = open.get(String(id))
    if (!call) return undefined
    open.delete(String(id))
    bytesWaiting -= call.bytes
    return call
  }

  return {
    ask(id, command, trace) {
      const text = JSON.stringify({ type: 'command', id, command, trace })
      const bytes = new TextEncoder().encode(text).length
      if (bytes > maxFrameBytes) return Promise.reject(frameTooLarge(bytes, maxFrameBytes))
      if (open.size >= maxWaiting || bytesWaiting + bytes > maxWaitingBytes) return Promise.reject(sessionBusy(open.size))
      return new Promise((resolve, reject) => {
        open.set(String(id), { text, bytes, tries: 0, resolve, reject })
        bytesWaiting += bytes
        send(text)
      })
    },
    answered: (id, result) => end(id)?.resolve(result),
    refused(id, problem) {
      const call = open.get(String(id))
      if (!call) return false
      if (passing.has(problem.code) && ++call.tries < maxTries) {
        const timer = setTimeout(
          () => {
            timers.delete(timer)
            if (open.get(String(id)) === call) send(call.text)
          },
          Math.max(askedWaitMs(problem), backoff.baseMs) + waitMs(call.tries, backoff),
        )
        timers.add(timer)
      } else end(id)?.reject(new ProblemError(problem))
      return true
    },
    repeat() {
      for (const call of open.values()) send(call.text)
    },
    abandon(error) {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      for (const id of [...open.keys()]) end(id)?.reject(error)
    },
    get waiting() {
      return open.size
    },
  }
}
