import { commandTypes } from '@parley/protocol'
import { DomainError } from '../errors.ts'

export const requestMalformed = (detail: string) =>
  new DomainError('request.malformed', detail, { hint: "Send a value that matches the command's schema in protocol/schemas." })

export const unknownCommand = (type: string) =>
  new DomainError('request.unknown_command', `There is no command ${JSON.stringify(type.slice(0, 64))}.`, {
    hint: `Send one of ${commandTypes.join(', ')}.`,
  })

/** `bytes`: null if the server stopped counting. */
export const requestTooLarge = (bytes: number | null, maxBytes: number) =>
  new DomainError('request.too_large', `The request has ${bytes ?? `more than ${maxBytes}`} bytes. The maximum is ${maxBytes}.`, {
    hint: 'Send files as artifacts of at most 2 MiB, and fewer files per request.',
    facts: { max: maxBytes, ...(bytes === null ? {} : { bytes }) },
  })
