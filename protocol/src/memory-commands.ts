/** What agents may remember beyond a goal, who reads it, and how it is forgotten. @see SPEC.md#memory */
import { z } from 'zod'
import { Did } from './did.ts'
import { AgentId } from './id.ts'

/** Notes that one agent may have. */
export const maxNotes = 500
/** Canonical bytes of one note. */
export const maxNoteBytes = 4_096
const key = z
  .string()
  .regex(/^[a-z][a-z0-9_.:-]*$/)
  .max(120)

/** The agent writes a note, or writes it anew under the same key. Whom it is about reads it, and may have it forgotten. */
export const KeepMemory = z.looseObject({
  type: z.literal('memory.keep'),
  key,
  about: Did.optional().describe('Whom it is about: a client, another agent. Left out: nobody.'),
  note: z.record(z.string(), z.json()),
  days: z.int().min(1).max(400).default(90).describe('Forgotten by itself after so many.'),
})
/** An agent reads its own notes; a person those about them, of any agent. */
export const RecallMemory = z.looseObject({
  type: z.literal('memory.recall'),
  about: Did.optional(),
  key: key.optional(),
  agent_id: AgentId.optional(),
})
/** An agent forgets its own notes; a person has those about them forgotten. What is left out is not asked of: all that is theirs. */
export const EraseMemory = z.looseObject({
  type: z.literal('memory.erase'),
  about: Did.optional(),
  key: key.optional(),
  agent_id: AgentId.optional(),
})

export const MemoryNote = z.looseObject({
  agent_id: AgentId,
  key,
  about: Did.nullable(),
  note: z.record(z.string(), z.json()),
  kept_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
export type MemoryNote = z.infer<typeof MemoryNote>

export const memoryCommands = [KeepMemory, RecallMemory, EraseMemory] as const
export type KeepMemory = z.infer<typeof KeepMemory>
export type RecallMemory = z.infer<typeof RecallMemory>
export type EraseMemory = z.infer<typeof EraseMemory>
