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
  /** Microseconds of the hub's one thread: a write of any number of messages, a message, each of its deliveries, a kibibyte more, a signature to be checked, a hello. */
  hub_us: z.strictObject({ write: figure, message: figure, delivery: figure, kilobyte: figure, signature: figure, hello: figure }),
  /** Microseconds of PostgreSQL's processes: a write, a message in it, a kibibyte more, a hello, a page of the log read. */
  postgres_us: z.strictObject({ write: figure, message: figure, kilobyte: figure, hello: figure, read: figure }),
  /** Milliseconds from the taking of a write to its answer: of any write, and more for each message in it. */
  flush_ms: z.strictObject({ base: figure, message: figure }),
  /** Bytes: a command with a message, its delivery, its row in PostgreSQL with all indexes, what it adds to the WAL, an ack; and of a message with 7,600 bytes of text its row. */
  bytes: z.strictObject({ post: figure, deliver: figure, row: figure, wal: figure, ack: figure, row_7600: figure }),
  /** Of the bytes of a socket, what is left where both sides compress with a window that they keep; prose, and its frames. */
  compressed: figure,
})
export type Costs = z.infer<typeof Costs>

/** Written down with three digits: more were not measured. */
const digits = 3
export const roundCost = (value: number) => Number(Math.max(value, 0.001).toPrecision(digits))

const file = path.join(import.meta.dirname, 'costs.json')

export function readCosts(): Costs {
  return Costs.parse(JSON.parse(readFileSync(file, 'utf8')))
}

export function writeCosts(costs: Costs): void {
  writeFileSync(file, `${JSON.stringify(Costs.parse(costs), null, 2)}\n`)
}
