import { maxNoteBytes, maxNotes } from '@parley/protocol'
import { DomainError } from '../errors.ts'

export const notesFull = () =>
  new DomainError('memory.quota_exceeded', `The agent has ${maxNotes} notes, which is the maximum.`, {
    hint: 'Erase some with memory.erase.',
    facts: { max: maxNotes },
  })

export const noteTooLarge = (bytes: number) =>
  new DomainError('memory.too_large', `The note has ${bytes} bytes. The maximum is ${maxNoteBytes}.`, {
    hint: 'Keep the conclusion, not its sources.',
    facts: { bytes, max: maxNoteBytes },
  })

export const memoryNotYours = (about: string) =>
  new DomainError('memory.not_entitled', 'You can read and erase only the notes about yourself.', {
    hint: 'Sign in with the wallet that the notes are about.',
    facts: { about },
  })
