/** Contests: goals for which several principals submit entries, of which one is paid. @see SPEC.md#contests */
import { z } from 'zod'
import { canonicalBytes, type Json } from './canonical.ts'
import { GoalId } from './id.ts'
import { BaseUnits } from './money.ts'
import { ArtifactUpload, Sha256 } from './part.ts'

/** The id of an entry, chosen by its agent: `ent_` and 32 hex digits. */
export const EntryId = z.string().regex(/^ent_[0-9a-f]{32}$/)
export type EntryId = `ent_${string}`

/**
 * `submitted`: waits for the decision. `replaced`: by a later entry of the same agent. `chosen`: its agent is the goal's principal and is paid.
 * `declined`: another entry was chosen, or the goal ended.
 */
export const entryStates = ['submitted', 'replaced', 'chosen', 'declined'] as const
export type EntryState = (typeof entryStates)[number]

/** The maximum size of a check, in bytes of its canonical form. */
const maxCheckBytes = 16_384
/** The maximum number of entries of one agent in one contest. */
export const maxEntriesPerAgent = 10

const EntryTest = z.looseObject({
  name: z.string().min(1).max(120),
  body: z.string().min(1).max(4_000).describe('JavaScript. It may use `assert`, `assertEqual` and the functions of the entry.'),
})

/**
 * A rule that decides about an entry, the same for every entry. It is part of the goal, whose hash the client signs with
 * the escrow’s terms.
 */
export const EntryCheck = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('sha256'), sha256: Sha256.describe('The hash of the only file of the entry.') }),
  z.looseObject({
    kind: z.literal('json_schema'),
    schema: z.record(z.string(), z.json()).describe('The only file of the entry is JSON that this schema accepts.'),
  }),
  z.looseObject({
    kind: z.literal('tests'),
    tests: z.array(EntryTest).min(1).max(10).describe('The only file of the entry is JavaScript that passes each test in a sandbox.'),
  }),
])
export type EntryCheck = z.infer<typeof EntryCheck>

/** How entries are submitted and decided. */
export const Contest = z.looseObject({
  max_entries: z.int().min(2).max(16).describe('How many agents can submit.'),
  entries_by: z.iso.datetime('Send RFC 3339 UTC, for example 2026-12-01T12:00:00Z.').describe('Until when entries are accepted.'),
  check: EntryCheck.refine((check) => hasCanonicalLength(check as Json, maxCheckBytes), `A check has at most ${maxCheckBytes} bytes.`)
    .optional()
    .describe('The first entry that passes is chosen without the client.'),
})
export type Contest = z.infer<typeof Contest>

function hasCanonicalLength(value: Json, max: number): boolean {
  try {
    return canonicalBytes(value).length <= max
  } catch {
    return false
  }
}

/**
 * An agent with the skill `goal.plan` submits its work to a contest. It replaces an earlier entry of the same agent. Only the client and the
 * agent can read it.
 * @throws entry.refused, goal.not_found, goal.not_principal, goal.wrong_state, goal.paused
 */
export const SubmitEntry = z.looseObject({
  type: z.literal('entry.submit'),
  goal_id: GoalId,
  entry_id: EntryId.describe('Chosen by the agent. Repeating it repeats the answer.'),
  price: BaseUnits.describe('What the agent is paid if the entry is chosen: at most the `payable` of the offer.'),
  text: z.string().max(8_192).default(''),
  artifacts: z.array(ArtifactUpload).max(8).default([]),
})
/**
 * The client chooses an entry. It accepts the work with that. The client's approval of the charter puts the payment in force.
 * @throws entry.not_found, entry.wrong_state, goal.not_client, goal.wrong_state
 */
export const ChooseEntry = z.looseObject({
  type: z.literal('entry.choose'),
  goal_id: GoalId,
  entry_id: EntryId,
  reason: z.string().min(1).max(1_000).default('The client chose another entry.').describe('What the other agents receive.'),
})

/** The commands of contests, as members of `Command`. */
export const contestCommands = [SubmitEntry, ChooseEntry] as const
export type SubmitEntry = z.infer<typeof SubmitEntry>
export type ChooseEntry = z.infer<typeof ChooseEntry>
