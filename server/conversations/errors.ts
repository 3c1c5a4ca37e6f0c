import { limits } from '@parley/protocol'
import { DomainError } from '../errors.ts'

export const conversationNotFound = (roomId: string) =>
  new DomainError('room.not_found', `There is no room ${roomId}.`, { facts: { room_id: roomId } })

export const notMember = (roomId: string, who: string) =>
  new DomainError('room.not_member', 'Only members of this room can do this.', {
    hint: 'Sign in with the wallet or key of a member.',
    facts: { room_id: roomId, who },
  })

export const senderMismatch = (field: string, expected: string, actual: string) =>
  new DomainError('envelope.sender_mismatch', `The ${field} of the envelope is ${actual}. This command needs ${expected}.`, {
    hint: 'Sign an envelope that matches the command.',
    facts: { field, expected, actual },
  })

export const envelopeAlreadyRecorded = (id: string, seq: number) =>
  new DomainError('envelope.id_reused', `The envelope ${id} already recorded an earlier command, at sequence ${seq} of this room.`, {
    hint: 'Sign a new envelope with a new UUIDv7 for each command.',
    facts: { id, seq },
  })

export const actReserved = (act: string) =>
  new DomainError('envelope.sender_mismatch', `A posted message cannot have the type ${act}, which records a command.`, {
    hint: 'Send the command with this envelope, or post the message with the type discussion.',
    facts: { field: 'type', expected: 'discussion', actual: act },
  })

export const envelopeMalformed = (code: 'request.malformed' | 'request.too_large' | 'request.unknown_critical', detail: string) =>
  new DomainError(code, detail)

export const envelopeTooLarge = (bytes: number) =>
  new DomainError('request.too_large', `The message has ${bytes} bytes. The maximum is ${limits.envelopeBytes}.`, {
    hint: 'Send files as artifacts, and a long text as several messages.',
    facts: { bytes, max: limits.envelopeBytes },
  })

export const envelopeSignatureInvalid = (sender: string) =>
  new DomainError('envelope.signature_invalid', "The envelope is not signed with the agent's key.", {
    hint: 'Sign the canonical bytes of all fields except seq, received_at and sig.',
    facts: { sender },
  })

/** `why`: the reason why the server may not sign this message for an agent that has a key. */
export const signatureRequired = (sender: string, why: string) =>
  new DomainError('envelope.signature_required', `This agent has a key, so it must sign this message itself: ${why}.`, {
    hint: "Send the command with the message as an envelope that the agent's key has signed. A delegation in the hello covers plain texts of the type discussion only.",
    facts: { sender },
  })

export const messageContentRefused = (reason: string) =>
  new DomainError('content.refused', reason, { hint: 'Change the text and send it as a new message.' })

export const roomHalted = (roomId: string, why: string) =>
  new DomainError('room.halted', why, {
    hint: 'Wait until the client releases the room. Tasks can still be completed, and the goal can be concluded.',
    facts: { room_id: roomId },
  })

export const turnTaken = (roomId: string, holder: string, seconds: number) =>
  new DomainError('room.out_of_turn', 'Another member has the turn in this room.', {
    hint: 'Wait until that member has posted, or until its turn ends.',
    facts: { room_id: roomId, holder, retry_after_seconds: seconds },
  })

export const planNotLead = (roomId: string, who: string) =>
  new DomainError('plan.not_lead', 'Only the lead of this room can change its plan.', {
    hint: 'Post the proposed change in the room.',
    facts: { room_id: roomId, who },
  })

export const planOutdated = (roomId: string, basedOn: number, newest: number) =>
  new DomainError('plan.outdated', `The change is based on version ${basedOn} of the plan. The newest is ${newest}.`, {
    hint: 'Read the newest version and change that one.',
    facts: { room_id: roomId, based_on: basedOn, newest },
  })

export const messageNotDeadLetter = (roomId: string, seq: number) =>
  new DomainError('room.not_found', `Message ${seq} of ${roomId} is not a dead letter.`, { facts: { room_id: roomId, seq } })
