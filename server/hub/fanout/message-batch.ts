import { sharedFrames } from '../codec/frames.ts'

/** Consecutive messages of one room as frames: compressed or plain. */
export type MessageBatch = {
  readonly roomId: string
  readonly first: number
  readonly last: number
  /** Total size of the envelopes. */
  readonly bytes: number
  frames(isDeflated: boolean): Buffer
}

/** Consecutive messages of one room, as given to its readers. `bodies`: canonical envelopes in UTF-8. */
export function createMessageBatch(roomId: string, [first, last]: readonly [number, number], bodies: readonly Buffer[]): MessageBatch {
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  return { roomId, first, last, bytes, frames: sharedFrames(bodies) }
}
