import { framesFor } from '../codec/frames.ts'
import type { Packs } from '../codec/packed-encoder.ts'
import type { LiveMessages } from '../connection/subscriptions.ts'

/** Messages of one group that follow on one another, as they are given to its readers. `bodies`: their canonical texts in UTF-8. */
export function liveMessages(
  packs: Packs,
  groupId: string,
  [first, last]: readonly [number, number],
  bodies: readonly Buffer[],
): LiveMessages {
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  return { groupId, first, last, bytes, frames: framesFor(bodies), packed: packs.lazily(groupId, bodies) }
}
