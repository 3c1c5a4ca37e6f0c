import { AgentFrame, CommandFrame, type Json, maxEchoedIdLength } from '@parley/protocol'
import { z } from 'zod'
import { requestMalformed } from '../../commands/index.ts'

type FrameId = string | number | null
/** `id`: the id of a malformed frame, if readable, by which its sender matches the error. */
export type ParsedFrame = { readonly frame: AgentFrame; readonly id?: never; readonly fault?: never } | InvalidFrame
type InvalidFrame = { readonly frame: null; readonly id: FrameId; readonly fault: Error }

/** Parses a frame. Commands and acks skip the schema: the command layer validates commands, and acks are frequent and simple. */
export function parseFrame(value: Json): ParsedFrame {
  if (isCommand(value) || isAck(value)) return { frame: value }
  const parsed = AgentFrame.safeParse(value)
  if (parsed.success) return { frame: parsed.data }
  return { frame: null, id: frameIdOf(value), fault: requestMalformed(`frame: ${z.prettifyError(parsed.error)}`) }
}

function isCommand(value: Json): value is Json & CommandFrame {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value.type !== 'command') return false
  const { id, command } = value
  const isNamed = typeof id === 'string' ? id.length > 0 && id.length <= 64 : Number.isSafeInteger(id)
  if (!isNamed || command === null || typeof command !== 'object' || Array.isArray(command)) return false
  return typeof command.type === 'string' && command.type.length <= 64
}

const room = /^(rom|inb)_[0-9a-f]{32}$/

function isAck(value: Json): value is Json & Extract<AgentFrame, { type: 'ack' }> {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value.type !== 'ack') return false
  const { room_id, seq } = value
  return typeof room_id === 'string' && room.test(room_id) && Number.isSafeInteger(seq) && Number(seq) > 0
}

/** Also an id that is too long, so that its sender can match the refusal. */
function frameIdOf(frame: Json): FrameId {
  const named = z.object({ id: z.union([CommandFrame.shape.id, z.string().max(maxEchoedIdLength)]) }).safeParse(frame)
  return named.success ? named.data.id : null
}
