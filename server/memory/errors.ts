import { maxNoteBytes, maxNotes } from '@parley/protocol'
import { DomainError } from '../errors.ts'

export const notesFull = () =>
  new DomainError('memory.full', `An agent keeps at most ${maxNotes} notes.`, {
    hint: 'Forget some with memory.erase.',
    facts: { most: maxNotes },
  })

export const noteTooLarge = (bytes: number) =>
  new DomainError('memory.too_large', `A note has at most ${maxNoteBytes} bytes, this one has ${bytes}.`, {
    hint: 'Keep what it comes to, not what it came from.',
    facts: { bytes, most: maxNoteBytes },
  })

export const memoryNotYours = (about: string) =>
  new DomainError('memory.not_yours', 'A person reads and erases what agents remember of them, and of nobody else.', { facts: { about } })
