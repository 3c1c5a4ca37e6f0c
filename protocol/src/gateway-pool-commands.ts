/** The command with which a gateway agent reports the state of its pool. @see SPEC.md#rules */
import { z } from 'zod'
import { KeyDid } from './did.ts'
import { Host, Region, resourceKinds } from './rule.ts'

/** The state of a resource in a pool. `refused`: it was never admitted. */
export const poolStates = ['testing', 'admitted', 'drifted', 'demoted', 'evicted', 'refused'] as const
export type PoolState = (typeof poolStates)[number]

/** One resource of a pool, as its gateway agent reports it. `checks`: tests so far. */
export const PoolEntry = z.looseObject({
  resource: KeyDid,
  kind: z.enum(resourceKinds),
  name: z.string().min(1).max(80),
  summary: z.string().max(200).default(''),
  operator: z.string().min(1).max(300),
  host: Host,
  region: Region.optional(),
  topics: z.array(z.string().min(1).max(40)).max(12).default([]),
  skills: z.array(z.string().min(1).max(80)).max(16).default([]),
  pool: z.enum(['public', 'private']),
  state: z.enum(poolStates),
  reason: z.string().min(1).max(500).describe('The reason for the state, as a sentence.'),
  checks: z.int().nonnegative().default(0),
  fingerprint: z.string().max(43).default(''),
  tested_at: z.iso.datetime().nullable().default(null),
  admission: z
    .record(z.string(), z.json())
    .nullable()
    .default(null)
    .describe('The admission as the gateway agent signed it. `admitted` and `demoted` entries require one.'),
})
export type PoolEntry = z.infer<typeof PoolEntry>

/** Reports changes of a pool. With empty `entries`, it only requests the rules. */
export const ReportPool = z.looseObject({ type: z.literal('pool.report'), entries: z.array(PoolEntry).max(50) })

/** The commands of pools, as members of `Command`. */
export const gatewayPoolCommands = [ReportPool] as const
export type ReportPool = z.infer<typeof ReportPool>
