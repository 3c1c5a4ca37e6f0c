import { DomainError } from '../errors.ts'
import { maxMessageAgeDays } from './append-batch.ts'

export const roomNotFound = (roomId: string) =>
  new DomainError('room.not_found', `There is no room ${roomId}.`, { facts: { room_id: roomId } })

export const envelopeIdReused = (id: string, seq: number) =>
  new DomainError('envelope.id_reused', `The id ${id} belongs to another message, at sequence ${seq} of this room.`, {
    hint: 'Give a new message a new UUIDv7. Repeat an id only with the same content.',
    facts: { id, seq },
  })

export const envelopeStale = (id: string) =>
  new DomainError(
    'envelope.stale',
    `The time in the id ${id} is more than ${maxMessageAgeDays} days ago, and no message of this room has this id.`,
    {
      hint: 'Give the message a new UUIDv7 of the current time, and sign it again.',
      facts: { id, oldest_days: maxMessageAgeDays },
    },
  )

export const envelopeAhead = (id: string) =>
  new DomainError('envelope.stale', `The time in the id ${id} is in the future.`, {
    hint: 'Correct the clock, then give the message a new UUIDv7.',
    facts: { id },
  })

export const cursorBeyondHead = (roomId: string, after: number, head: number) =>
  new DomainError('cursor.beyond_head', `This room has no message ${after}. The last one is ${head}.`, {
    hint: 'Continue after the last message that you have, or after 0.',
    facts: { room_id: roomId, after, head },
  })

export const requestIdReused = (command: string, key: string) =>
  new DomainError('request.id_reused', `The id ${key} belongs to another ${command}.`, {
    hint: 'Give a new request a new id. Repeat an id only with the same content.',
    facts: { command, id: key },
  })
