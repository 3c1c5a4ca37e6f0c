// Loaded into the web's and the hub's process before anything else: answers its parent how much it holds and how much it has worked.
import { ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { queryObjects } from 'node:v8'

export type Look = {
  readonly rss: number
  /** Bytes that objects and buffers take; after `collect` what can't be freed. */
  readonly held: number
  /** After `collect`: responses that cannot be freed, and with each its request. */
  readonly requests: number
  /** Processor time of the main thread, in milliseconds: what no other work of the machine makes longer. */
  readonly workedMs: number
  /** The same of all its threads. */
  readonly usedMs: number
  /** The longest that the event loop stood still since the last look. */
  readonly stalledMs: number
}

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

function look(): Look {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.threadCpuUsage()
  const all = process.cpuUsage()
  const stalledMs = delay.max / 1e6
  delay.reset()
  return { rss, held: heapUsed + external, requests: 0, workedMs: (user + system) / 1e3, usedMs: (all.user + all.system) / 1e3, stalledMs }
}

const rounds = 4
/** Buffers are freed some time after the objects that held them: the least of several looks is what can't be freed. */
async function lookAfterCollecting(): Promise<Look> {
  let held = Number.POSITIVE_INFINITY
  for (let at = 0; at < rounds; at++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 30))
    const { heapUsed, external } = process.memoryUsage()
    held = Math.min(held, heapUsed + external)
  }
  return { ...look(), held, requests: queryObjects(ServerResponse, { format: 'count' }) }
}

process.on('message', async (asked: { readonly look?: number; readonly collect?: boolean }) => {
  if (typeof asked?.look !== 'number') return
  const seen = asked.collect ? await lookAfterCollecting() : look()
  process.send?.({ look: asked.look, seen })
})
// Listening must not keep a process alive that got the signal to end.
process.channel?.unref()
