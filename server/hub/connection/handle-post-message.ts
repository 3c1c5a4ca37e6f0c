import type { CommandFrame } from '@parley/protocol'
import { dispatchMessage, parsePostMessage } from '../../commands/index.ts'
import type { Context } from '../../context.ts'
import type { PostResult } from '../../conversations/index.ts'
import { postResultFrame, resultJson } from '../codec/frames.ts'
import type { InFlight } from './in-flight.ts'
import type { PackedConnection } from './packed-connection.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** The connection of a post. `onDone`: the post has its result or its error. */
export type PostContext = {
  readonly inFlight: InFlight
  readonly writer: WriteBuffer
  readonly packed: PackedConnection | null
  onDone(): void
  refuse(frame: CommandFrame, error: unknown): void
}

/** Handles `message.post`: posts the message and answers when it is committed. The next frame does not wait for it. */
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
    dispatchMessage(ctx, parsePostMessage(frame.command), { endpoint: 'socket', trace: frame.trace }, completion)
  } catch (error) {
    completion.reject(error)
  }
}
