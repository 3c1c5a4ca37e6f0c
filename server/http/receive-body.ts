import type { IncomingMessage } from 'node:http'
import type { BufferBudget } from './buffer-budget.ts'

/** `full`: this process holds as much as it may. `broken`: the sender ended before the body did. */
export type BodyFault = 'too large' | 'too slow' | 'full' | 'broken'
/** `release`: gives back what the process holds of it. */
export type ReceivedBody =
  | { readonly ok: true; readonly bytes: Buffer; readonly release: () => void }
  | { readonly ok: false; readonly fault: BodyFault }

export type BodyReadOptions = {
  readonly maxBytes: number
  /** Whose share of `holdings` it counts for. */
  readonly sender: string
  readonly budget: BufferBudget
  /** In each window of time a body that is not complete receives so many bytes at least. */
  readonly minRate?: { readonly everyMs: number; readonly bytes: number }
}

/** 4 kB each second: a slow telephone is faster, and a body of 40 kB has ten seconds in any case. */
const defaultMinRate = { everyMs: 10_000, bytes: 40_960 }

/** Reads a body that is bounded in bytes and in time. Never throws; after a fault the request is left as it is, for an answer. */
export function receiveBody(
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
      // What else goes wrong with it is nobody's business here, and must not end the process.
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
