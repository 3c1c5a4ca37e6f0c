import type { IncomingMessage } from 'node:http'
import type { BufferBudget } from './buffer-budget.ts'

/** `full`: the process is over its buffer budget. `broken`: the client disconnected before the end. */
export type BodyFault = 'too large' | 'too slow' | 'full' | 'broken'
/** `release`: returns the bytes to the buffer budget. */
export type ReceivedBody =
  | { readonly ok: true; readonly bytes: Buffer; readonly release: () => void }
  | { readonly ok: false; readonly fault: BodyFault }

export type BodyReadOptions = {
  readonly maxBytes: number
  /** The key whose share of the budget it counts for. */
  readonly sender: string
  readonly budget: BufferBudget
  /** The minimum number of bytes per time window while the body is incomplete. */
  readonly minRate?: { readonly everyMs: number; readonly bytes: number }
}

/** 4 kB per second: a slow phone is faster, and a body of 40 kB always has ten seconds. */
const defaultMinRate = { everyMs: 10_000, bytes: 40_960 }

/** Reads a body with limits on size, time and memory. Never throws. After a fault the request stays open for the answer. */
export function receiveBodyWithinLimits(
  request: IncomingMessage,
  { maxBytes, sender, budget, minRate = defaultMinRate }: BodyReadOptions,
): Promise<ReceivedBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve({ ok: false, fault: 'too large' })
  if (request.destroyed) return Promise.resolve({ ok: false, fault: 'broken' })
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let [size, seen] = [0, 0]
    const holding = budget.open(sender, () => fail('full'))
    const timer = setInterval(() => {
      if (size - seen < minRate.bytes) fail('too slow')
      seen = size
    }, minRate.everyMs)

    function settle(result: ReceivedBody): void {
      clearInterval(timer)
      request.off('data', take).off('end', complete).off('error', breakOff).off('close', breakOff)
      // Later errors of the request need a listener, or they would end the process.
      request.on('error', () => undefined)
      resolve(result)
    }
    function fail(fault: BodyFault): void {
      chunks.length = 0
      holding.close()
      settle({ ok: false, fault })
    }
    function take(chunk: Buffer): void {
      size += chunk.length
      if (size > maxBytes) fail('too large')
      else if (!holding.add(chunk.length)) fail('full')
      else chunks.push(chunk)
    }
    const complete = () => settle({ ok: true, bytes: Buffer.concat(chunks), release: holding.close })
    const breakOff = () => fail('broken')
    request.on('data', take).once('end', complete).once('error', breakOff).once('close', breakOff)
  })
}
