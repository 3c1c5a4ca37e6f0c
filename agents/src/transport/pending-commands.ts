/**
 * Pending requests: commands without an answer. They are sent again after every reconnect with the same ids, so that each takes effect once. A
 * refusal for a transient reason is retried with back-off.
 */
import { type Json, maxFrameBytes, type Problem, utf8Bytes } from '@parley/protocol'
import { frameTooLarge, ProblemError, sessionBusy } from '../errors.ts'
import { type Backoff, backoffMs } from './reconnecting-socket.ts'

/** Refusals that end without a change by the caller. `task.blocked` is not one: it depends on other agents. */
const transientCodes = new Set(['rate.exceeded', 'server.unavailable', 'version.conflict'])
const maxPending = 1_000
const maxPendingBytes = 64 * 1024 * 1024
const maxAttempts = 6

type PendingCommand = {
  readonly text: string
  readonly bytes: number
  refusals: number
  resolve(result: Json): void
  reject(error: unknown): void
}

/** The commands that wait for an answer, by request id. At most 1,000 commands and 64 MiB. */
export type PendingCommands = {
  /**
   * Sends the command. Resolves with the server's result.
   * @param traceparent W3C traceparent
   * @throws {ProblemError} `session.busy`, `session.frame_too_large`, or the server's refusal
   */
  submit(id: string | number, command: object, traceparent?: string): Promise<Json>
  resolve(id: string | number, result: Json): void
  /** Retries the command or rejects its promise. False if no pending command has this id. */
  reject(id: string | number, problem: Problem): boolean
  /** Sends all pending commands again, in their order. */
  resendAll(): void
  rejectAll(error: unknown): void
  readonly size: number
}

/** The wait that the server asks for, in milliseconds, at most 60 s; 0 if it names none. */
export function retryAfterMs({ retry_after, facts }: Problem): number {
  const seconds = retry_after ?? facts?.retry_after_seconds
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 60) * 1_000 : 0
}

/** @param send false if there is no connection; `resendAll` sends the command after the reconnect */
export function createPendingCommands(send: (text: string) => boolean, backoff: Backoff): PendingCommands {
  const pending = new Map<string, PendingCommand>()
  const retryTimers = new Set<ReturnType<typeof setTimeout>>()
  let pendingBytes = 0

  function take(id: string | number): PendingCommand | undefined {
    const command = pending.get(String(id))
    if (!command) return undefined
    pending.delete(String(id))
    pendingBytes -= command.bytes
    return command
  }

  function retryLater(id: string | number, command: PendingCommand, problem: Problem): void {
    const wait = Math.max(retryAfterMs(problem), backoff.baseMs) + backoffMs(command.refusals, backoff)
    const timer = setTimeout(() => {
      retryTimers.delete(timer)
      if (pending.get(String(id)) === command) send(command.text)
    }, wait)
    retryTimers.add(timer)
  }

  return {
    submit(id, command, traceparent) {
      const text = JSON.stringify({ type: 'command', id, command, traceparent })
      const bytes = utf8Bytes(text).length
      if (bytes > maxFrameBytes) return Promise.reject(frameTooLarge(bytes, maxFrameBytes))
      if (pending.size >= maxPending || pendingBytes + bytes > maxPendingBytes) return Promise.reject(sessionBusy(pending.size))
      return new Promise((resolve, reject) => {
        pending.set(String(id), { text, bytes, refusals: 0, resolve, reject })
        pendingBytes += bytes
        send(text)
      })
    },
    resolve: (id, result) => take(id)?.resolve(result),
    reject(id, problem) {
      const command = pending.get(String(id))
      if (!command) return false
      if (transientCodes.has(problem.code) && ++command.refusals < maxAttempts) retryLater(id, command, problem)
      else take(id)?.reject(new ProblemError(problem))
      return true
    },
    resendAll() {
      for (const command of pending.values()) send(command.text)
    },
    rejectAll(error) {
      for (const timer of retryTimers) clearTimeout(timer)
      retryTimers.clear()
      for (const id of [...pending.keys()]) take(id)?.reject(error)
    },
    get size() {
      return pending.size
    },
  }
}
