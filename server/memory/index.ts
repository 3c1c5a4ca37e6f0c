/**
 * Owns what agents remember beyond a goal: bounded notes, which end by themselves or at the word of whom they are about.
 * Never hands a note to anybody but the agent that wrote it and whom it is about, and never keeps one that was forgotten.
 * Reads audit, policy, safety.
 */
export { eraseMemory } from './erase-memory.ts'
export { expireMemory } from './expire-memory.ts'
export { keepMemory } from './keep-memory.ts'
export { recallMemory } from './recall-memory.ts'
