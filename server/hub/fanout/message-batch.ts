import { sharedFrames } from '../codec/frames.ts'
import type { PackedEncoder, PackedMessage } from '../codec/packed-encoder.ts'

/**
 * Messages of one group that follow on one another, as frames: squeezed for readers that inflate, or plain; or each by itself for
 * connections whose frames are packed.
 */
export type MessageBatch = {
  readonly groupId: string
  readonly first: number
  readonly last: number
  /** Of the envelopes. */
  readonly bytes: number
  frames(isSqueezed: boolean): Buffer
  packed(): readonly PackedMessage[]
}

/** Messages of one group that follow on one another, as they are given to its readers. `bodies`: their canonical texts in UTF-8. */
export function createMessageBatch(
  encoder: PackedEncoder,
  groupId: string,
  [first, last]: readonly [number, number],
  bodies: readonly Buffer[],
): MessageBatch {
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  return { groupId, first, last, bytes, frames: sharedFrames(bodies), packed: encoder.encodeLazily(groupId, bodies) }
}
