import { sharedFrames } from '../codec/frames.ts'
import type { PackedEncoder, PackedMessage } from '../codec/packed-encoder.ts'

/** Consecutive messages of one group as frames: compressed or plain, or one packed message each for packed connections. */
export type MessageBatch = {
  readonly groupId: string
  readonly first: number
  readonly last: number
  /** Total size of the envelopes. */
  readonly bytes: number
  frames(isSqueezed: boolean): Buffer
  packed(): readonly PackedMessage[]
}

/** Consecutive messages of one group, as given to its readers. `bodies`: canonical envelopes in UTF-8. */
export function createMessageBatch(
  encoder: PackedEncoder,
  groupId: string,
  [first, last]: readonly [number, number],
  bodies: readonly Buffer[],
): MessageBatch {
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  return { groupId, first, last, bytes, frames: sharedFrames(bodies), packed: encoder.encodeLazily(groupId, bodies) }
}
