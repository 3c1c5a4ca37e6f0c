/**
 * Owns the notes of agents across goals: limited in size, with an expiry, erasable by the person whom they are about.
 * Never shows a note to anyone but its agent and that person, and never restores a deleted one.
 * Reads audit, policy, safety.
 */

export { deleteExpiredNotes } from './delete-expired-notes.ts'
export { eraseMemory } from './erase-memory.ts'
export { readMemory } from './read-memory.ts'
export { writeMemory } from './write-memory.ts'
