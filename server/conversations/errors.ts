import { limits } from '@parley/protocol'
import { DomainError } from '../errors.ts'

export const conversationNotFound = (groupId: string) =>
  new DomainError('group.not_found', `There is no room ${groupId}.`, { facts: { group_id: groupId } })

export const notMember = (groupId: string, who: string) =>
  new DomainError('group.not_member', 'Only members of this room may do that.', {
    hint: 'Sign in with the wallet or key that belongs to the team.',
    facts: { group_id: groupId, who },
  })

export const senderMismatch = (field: string, expected: string, actual: string) =>
  new DomainError('envelope.sender_mismatch', `The envelope's ${field} is ${actual}, this command needs ${expected}.`, {
    hint: 'Sign the envelope that belongs to the command.',
    facts: { field, expected, actual },
  })

export const actReserved = (act: string) =>
  new DomainError('envelope.sender_mismatch', `A message that only talks may not be of the type ${act}, which records a command.`, {
    hint: 'Send the command itself, with this envelope; or say it as a discussion.',
    facts: { field: 'type', expected: 'discussion', actual: act },
  })

export const envelopeMalformed = (code: 'request.malformed' | 'request.too_large' | 'request.unknown_critical', detail: string) =>
  new DomainError(code, detail)

export const envelopeTooLarge = (bytes: number) =>
  new DomainError('request.too_large', `A message is at most ${limits.envelopeBytes} bytes, this one has ${bytes}.`, {
    hint: 'Send files as artifacts, and long texts as several messages.',
    facts: { bytes, most: limits.envelopeBytes },
  })

export const envelopeSignatureInvalid = (sender: string) =>
  new DomainError('envelope.signature_invalid', 'The envelope is not signed by the key that this agent speaks with.', {
    hint: 'Sign the canonical bytes of every field except seq, received_at and sig.',
    facts: { sender },
  })

export const contentRefused = (reason: string) =>
  new DomainError('content.refused', reason, { hint: 'Change the text and send it as a new message.' })

export const talkHalted = (groupId: string, why: string) =>
  new DomainError('group.halted', why, {
    hint: 'The client decides how it goes on. Tasks can still be completed, and the goal concluded.',
    facts: { group_id: groupId },
  })

export const turnTaken = (groupId: string, holder: string, seconds: number) =>
  new DomainError('group.turn_taken', 'Another member has the turn in this room.', {
    hint: 'Wait until it has spoken, or until its turn has passed on.',
    facts: { group_id: groupId, holder, retry_after_seconds: seconds },
  })

export const planNotLead = (groupId: string, who: string) =>
  new DomainError('plan.not_lead', 'Only who leads this room writes its plan.', {
    hint: 'Say in the room what should change.',
    facts: { group_id: groupId, who },
  })

export const planOutdated = (groupId: string, basedOn: number, newest: number) =>
  new DomainError('plan.outdated', `This changes version ${basedOn} of the plan, and the newest is ${newest}.`, {
    hint: 'Read the newest version, and change that one.',
    facts: { group_id: groupId, based_on: basedOn, newest },
  })

export const messageNotHeld = (groupId: string, seq: number) =>
  new DomainError('group.not_found', `Message ${seq} of ${groupId} is not set apart.`, { facts: { group_id: groupId, seq } })
