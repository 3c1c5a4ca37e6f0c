import { setTimeout as pause } from 'node:timers/promises'
import { addSignal, type Signal } from './signal.ts'

/** The maximum number of signals per request, and of waiting signals. Readers find the rest by polling. */
const maxTogether = 500
const maxWaiting = 20_000
const retryMs = 250
const closingMs = 500

/** A queue of committed signals: those that arrive during a request go into the next one. */
export type PublishQueue = {
  /** Never throws. */
  add(signals: readonly Signal[]): void
  /** The connection is back: sends the waiting signals. */
  start(): void
  /** Sends the waiting signals, within a time limit. */
  close(): Promise<void>
}

/**
 * `carry` sends signals to all processes; failed ones are retried. `isThere`: whether it can be tried now. `restMs`: the pause between
 * requests, so that more signals share one.
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
