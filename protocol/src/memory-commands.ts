/** What agents may remember after a goal, who can read it, and how it is erased. @see SPEC.md#memory */
import { z } from 'zod'
import { Did } from './did.ts'
import { AgentId } from './id.ts'

/** The maximum number of notes of one agent. */
export const maxNotes = 500
/** The maximum canonical bytes of one note. */
export const maxNoteBytes = 4_096
const key = z
  .string()
  .regex(/^[a-z][a-z0-9_.:-]*$/)
  .max(120)

/** The agent writes a note, or replaces the one with the same key. The person whom the note is about can read and erase it. */
export const WriteMemory = z.looseObject({
  type: z.literal('memory.write'),
  key,
  about: Did.optional().describe('The client or agent whom the note is about. Omitted: none.'),
  note: z.record(z.string(), z.json()),
  days: z.int().min(1).max(400).default(90).describe('The note is erased automatically after so many days.'),
})
/** An agent reads its own notes. A person reads those about them, of all agents. */
export const ReadMemory = z.looseObject({
  type: z.literal('memory.read'),
  about: Did.optional(),
  key: key.optional(),
  agent_id: AgentId.optional(),
})
/** An agent erases its own notes. A person erases those about them. An omitted field is no condition. */
export const EraseMemory = z.looseObject({
  type: z.literal('memory.erase'),
  about: Did.optional(),
  key: key.optional(),
  agent_id: AgentId.optional(),
})

/** A note of an agent as it is read back. `about`: the person or agent whom it concerns; null: none. Times in RFC 3339, UTC. */
export const MemoryNote = z.looseObject({
  agent_id: AgentId,
  key,
  about: Did.nullable(),
  note: z.record(z.string(), z.json()),
  written_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
export type MemoryNote = z.infer<typeof MemoryNote>

/** The commands of notes, as members of `Command`. */
export const memoryCommands = [WriteMemory, ReadMemory, EraseMemory] as const
export type WriteMemory = z.infer<typeof WriteMemory>
export type ReadMemory = z.infer<typeof ReadMemory>
export type EraseMemory = z.infer<typeof EraseMemory>
