import { setTimeout as pause } from 'node:timers/promises'
import { addSignal, type Signal } from './signal.ts'

/** Signals in one message, and those that wait while nobody carries them: what is beyond that is found by looking. */
const maxTogether = 500
const maxWaiting = 20_000
const retryMs = 250
const closingMs = 500

/** Signals of what is committed, on their way: what waits while one message is under way goes with the next. */
export type PublishQueue = {
  /** Never fails. */
  add(signals: readonly Signal[]): void
  /** The carrier is back: what waits goes. */
  start(): void
  /** Tells what waits, for a bounded time. */
  close(): Promise<void>
}

/**
 * `carry` takes some signals to all processes; what it could not take goes again. `isThere`: whether it can be tried now.
 * `restMs`: from one message to the next, so that many are told in few.
 */
export function createPublishQueue(options: {
  carry(signals: readonly Signal[]): Promise<void>
  isThere(): boolean
  onFailed(error: unknown, count: number): void
  readonly restMs: number
}): PublishQueue {
  let waiting = new Map<string, Signal>()
  let sending: Promise<void> | null = null
  let isClosed = false

  function merge(signal: Signal): void {
    addSignal(waiting, signal, maxWaiting)
  }

  async function send(): Promise<void> {
    while (waiting.size > 0 && options.isThere()) {
      const batch = [...waiting].slice(0, maxTogether)
      if (batch.length === waiting.size) waiting = new Map()
      else for (const [key] of batch) waiting.delete(key)
      try {
        await options.carry(batch.map(([, signal]) => signal))
        if (!isClosed) await pause(options.restMs)
      } catch (error) {
        options.onFailed(error, batch.length)
        for (const [, signal] of batch) merge(signal)
        if (isClosed) return
        await pause(retryMs)
      }
    }
  }

  function start(): void {
    sending ??= send().finally(() => {
      sending = null
      if (waiting.size > 0 && options.isThere() && !isClosed) start()
    })
  }

  return {
    add(signals) {
      for (const signal of signals) merge(signal)
      if (waiting.size > 0 && !isClosed) start()
    },
    start,
    async close() {
      isClosed = true
      await Promise.race([sending, pause(closingMs)])
    },
  }
}
