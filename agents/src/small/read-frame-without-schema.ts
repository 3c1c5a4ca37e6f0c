import type { ServerFrame } from '@parley/protocol'

type Fields = { readonly [name: string]: unknown }

const hasText = (fields: Fields, ...names: readonly string[]) => names.every((name) => typeof fields[name] === 'string')

/** Whether a JSON value is an object; a list is none. */
export function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the fields that a client uses have the right types, for each frame that a client acts on. */
const checks: { readonly [type: string]: (frame: Fields) => boolean } = {
  challenge: (frame) => hasText(frame, 'nonce', 'server'),
  welcome: (frame) =>
    hasText(frame, 'agent_id', 'did', 'handle', 'inbox', 'server') && Array.isArray(frame.rooms) && frame.rooms.every(isRoom),
  joined: (frame) => hasText(frame, 'room_id'),
  result: isAnswer,
  problem: (frame) =>
    (frame.id === null || isAnswer(frame)) && hasFields(frame.problem) && hasText(frame.problem, 'code', 'detail', 'retry'),
  fenced: () => true,
  ping: () => true,
  pong: () => true,
}

function isAnswer({ id }: Fields): boolean {
  return typeof id === 'string' || typeof id === 'number'
}

function isRoom(room: unknown): boolean {
  return hasFields(room) && hasText(room, 'room_id') && Number.isSafeInteger(room.acked)
}

/** A frame, checked without the schemas of the protocol, which are larger than the whole client. Undefined for any other value. */
export function readFrameWithoutSchema(value: unknown): ServerFrame | undefined {
  if (!hasFields(value) || typeof value.type !== 'string' || !Object.hasOwn(checks, value.type)) return undefined
  return checks[value.type]?.(value) ? (value as ServerFrame) : undefined
}
