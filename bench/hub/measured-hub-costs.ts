import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const figure = z.number().positive()

/**
 * What the hub's work costs, as `npm run bench:hub -- --costs` has measured it; simulation and capacity read it from here.
 * A message is one of a kibibyte of text that the hub vouches for, said in a room of eight.
 */
export const Costs = z.strictObject({
  measured: z.strictObject({ on: z.iso.date(), by: z.string(), machine: z.string() }),
  /**
   * Microseconds of the hub's thread per write of any number of messages, per message, delivery, additional kibibyte, verified signature,
   * and hello.
   */
  hub_us: z.strictObject({ write: figure, message: figure, delivery: figure, kilobyte: figure, signature: figure, hello: figure }),
  /** Microseconds of PostgreSQL's processes per write, message, additional kibibyte, hello, and page read from the log. */
  postgres_us: z.strictObject({ write: figure, message: figure, kilobyte: figure, hello: figure, read: figure }),
  /** Milliseconds from the start of a write to its answer: of each write, and additionally for each message in it. */
  flush_ms: z.strictObject({ base: figure, message: figure }),
  /**
   * Bytes of a command with a message, its delivery, its row in PostgreSQL with all indexes, its part of the WAL, and an ack. `row_7600`:
   * the row of a message with 7,600 bytes of text.
   */
  bytes: z.strictObject({ post: figure, deliver: figure, row: figure, wal: figure, ack: figure, row_7600: figure }),
  /** The ratio of compressed to plain bytes on a socket with context takeover on both sides, for prose and its frames. */
  compressed: figure,
})
export type Costs = z.infer<typeof Costs>

/** Rounded to three digits, which is the precision of the measurement. */
const digits = 3
export const roundCost = (value: number) => Number(Math.max(value, 0.001).toPrecision(digits))

const file = path.join(import.meta.dirname, 'costs.json')

export function readCosts(): Costs {
  return Costs.parse(JSON.parse(readFileSync(file, 'utf8')))
}

export function writeCosts(costs: Costs): void {
  writeFileSync(file, `${JSON.stringify(Costs.parse(costs), null, 2)}\n`)
}
