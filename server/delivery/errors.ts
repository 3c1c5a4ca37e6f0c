import { DomainError } from '../errors.ts'

export const groupNotFound = (groupId: string) =>
  new DomainError('group.not_found', `There is no room ${groupId}.`, { facts: { group_id: groupId } })

export const envelopeIdReused = (id: string, seq: number) =>
  new DomainError('envelope.id_reused', `The id ${id} already names another message, at sequence ${seq} of this room.`, {
    hint: 'Repeat a message with the same id only if its content is the same; give a new message a new UUIDv7.',
    facts: { id, seq },
  })

export const envelopeStale = (id: string) =>
  new DomainError('envelope.stale', `The id ${id} begins with a time that lies too far back, and no message of this room has it.`, {
    hint: 'Give a new message a new UUIDv7, of a clock that is right.',
    facts: { id },
  })
