import {
  CanonicalError,
  Command,
  type CommandType,
  commandTypes,
  type Json,
  maxFrameBytes,
  PostMessage,
  parseStrict,
} from '@parley/protocol'
import { z } from 'zod'
import { requestMalformed, requestTooLarge, unknownCommand } from './errors.ts'

/** JSON as it arrived, bounded in size, depth and keys. @throws request.malformed, request.too_large */
export function readJson(text: string): Json {
  if (text.length > maxFrameBytes) throw requestTooLarge(text.length, maxFrameBytes)
  try {
    return parseStrict(text, { depth: 40, keys: 512 })
  } catch (error) {
    if (error instanceof CanonicalError) throw requestMalformed(`This is not a JSON value that we read: ${error.message}.`)
    throw error
  }
}

/** A command from what arrived; `text` or a value that was parsed already. @throws request.malformed, request.unknown_command */
export function readCommand(input: unknown): Command {
  const value = typeof input === 'string' ? readJson(input) : input
  const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : ''
  if (!commandTypes.includes(type as CommandType)) throw unknownCommand(type)
  // Talk is most of what comes: it is not looked for among all commands.
  const parsed = type === PostMessage.shape.type.value ? PostMessage.safeParse(value) : Command.safeParse(value)
  if (!parsed.success) throw requestMalformed(`${type}: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}
