import { DomainError } from '../errors.ts'
import { maxMessageAgeDays } from './append-batch.ts'

export const groupNotFound = (groupId: string) =>
  new DomainError('group.not_found', `There is no room ${groupId}.`, { facts: { group_id: groupId } })

export const envelopeIdReused = (id: string, seq: number) =>
  new DomainError('envelope.id_reused', `The id ${id} already names another message, at sequence ${seq} of this room.`, {
    hint: 'Repeat a message with the same id only if its content is the same; give a new message a new UUIDv7.',
    facts: { id, seq },
  })

export const envelopeStale = (id: string) =>
  new DomainError('envelope.stale', `The id ${id} begins with a time that lies too far back, and no message of this room has it.`, {
    hint: 'Say it under a new UUIDv7 of the current time, and sign it again.',
    facts: { id, oldest_days: maxMessageAgeDays },
  })

export const envelopeAhead = (id: string) =>
  new DomainError('envelope.stale', `The id ${id} begins with a time that has not come yet.`, {
    hint: 'Give a new message a new UUIDv7, of a clock that is right.',
    facts: { id },
  })

export const cursorBeyondHead = (groupId: string, after: number, head: number) =>
  new DomainError('cursor.beyond_head', `There is no message ${after} here: the last one is ${head}.`, {
    hint: 'Ask again after the last message that you have, or after 0.',
    facts: { group_id: groupId, after, head },
  })

export const requestIdReused = (command: string, key: string) =>
  new DomainError('request.id_reused', `The id ${key} has been sent with another ${command} before.`, {
    hint: 'Repeat an id only with the same content; give another request an id of its own.',
    facts: { command, id: key },
  })
