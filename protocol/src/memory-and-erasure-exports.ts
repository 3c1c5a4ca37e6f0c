/** The public exports for the notes of agents, and for the erasure of listings, messages, files and entries. */

export { EraseListing } from './commands.ts'
export {
  EraseArtifact,
  Erased,
  EraseEntry,
  EraseMessage,
  type ErasureRequester,
  erasureRequesters,
  hashAfter,
  MessageNumber,
  readErased,
  tombstoneKind,
} from './erasure.ts'
export { EraseMemory, MemoryNote, maxNoteBytes, maxNotes, ReadMemory, WriteMemory } from './memory-commands.ts'
