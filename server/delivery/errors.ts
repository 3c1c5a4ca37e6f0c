import { DomainError } from '../errors.ts'

export const groupNotFound = (groupId: string) =>
  new DomainError('group.not_found', `There is no room ${groupId}.`, { facts: { group_id: groupId } })

export const envelopeIdReused = (id: string, seq: number) =>
  new DomainError('envelope.id_reused', `The id ${id} already names another message, at sequence ${seq} of this room.`, {
    hint: 'Repeat a message with the same id only if its content is the same; give a new message a new UUIDv7.',
    facts: { id, seq },
  })
