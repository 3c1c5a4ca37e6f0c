import type { CommandFrame } from '@parley/protocol'
import { dispatchMessage, parsePostMessage } from '../../commands/index.ts'
import type { Context } from '../../context.ts'
import type { PostResult } from '../../conversations/index.ts'
import { postResultFrame } from '../codec/frames.ts'
import type { InFlight } from './in-flight.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** The connection of a post. `onDone`: the post has its result or its error. */
export type PostContext = {
  readonly inFlight: InFlight
  readonly writer: WriteBuffer
  onDone(): void
  refuse(frame: CommandFrame, error: unknown): void
}

/** Handles `message.post`: posts the message and answers when it is committed. The next frame does not wait for it. */
export function handlePostMessage(ctx: Context, frame: CommandFrame, { inFlight, writer, onDone, refuse }: PostContext): void {
  const completion = {
    resolve(posted: PostResult) {
      inFlight.postFinished()
      onDone()
      writer.writeText(postResultFrame(frame.id, posted))
    },
    reject(error: unknown) {
      inFlight.postFinished()
      onDone()
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
