import type { CommandFrame } from '@parley/protocol'
import type { Context } from '../../context.ts'
import type { PostResult } from '../../conversations/index.ts'
import { admitTalk, readTalk } from '../../gateway/index.ts'
import { postResultFrame, resultJson } from '../codec/frames.ts'
import type { InFlight } from './in-flight.ts'
import type { PackedConnection } from './packed-connection.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** The connection on which the talk came. `ended`: it has its answer, or is refused. */
export type PostContext = {
  readonly inFlight: InFlight
  readonly writer: WriteBuffer
  readonly packed: PackedConnection | null
  onDone(): void
  refuse(frame: CommandFrame, error: unknown): void
}

/** Hands talk in, and answers it when it is said. The next frame need not wait for that. */
export function handlePostMessage(ctx: Context, frame: CommandFrame, { inFlight, writer, packed, onDone, refuse }: PostContext): void {
  const completion = {
    resolve(posted: PostResult) {
      inFlight.postFinished()
      onDone()
      if (packed) packed.sendResult(frame, resultJson(posted))
      else writer.writeText(postResultFrame(frame.id, posted))
    },
    reject(error: unknown) {
      inFlight.postFinished()
      onDone()
      packed?.noteRejected(frame)
      refuse(frame, error)
    },
  }
  inFlight.postStarted()
  try {
    admitTalk(ctx, readTalk(frame.command), { door: 'socket', trace: frame.trace }, completion)
  } catch (error) {
    completion.reject(error)
  }
}
