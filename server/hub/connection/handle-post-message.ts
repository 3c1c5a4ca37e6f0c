import type { CommandFrame } from '@parley/protocol'
import type { Context } from '../../context.ts'
import type { Said } from '../../conversations/index.ts'
import { admitTalk, readTalk } from '../../gateway/index.ts'
import { saidText, wireText } from '../codec/frames.ts'
import type { InHand } from './in-flight.ts'
import type { PackedLine } from './packed-connection.ts'
import type { Outlet } from './write-buffer.ts'

/** The connection on which the talk came. `ended`: it has its answer, or is refused. */
export type TalkLine = {
  readonly inHand: InHand
  readonly outlet: Outlet
  readonly packed: PackedLine | null
  ended(): void
  refuse(frame: CommandFrame, error: unknown): void
}

/** Hands talk in, and answers it when it is said. The next frame need not wait for that. */
export function hearTalk(ctx: Context, frame: CommandFrame, { inHand, outlet, packed, ended, refuse }: TalkLine): void {
  const end = {
    resolve(said: Said) {
      inHand.talkEnded()
      ended()
      if (packed) packed.answer(frame, wireText(said))
      else outlet.text(saidText(frame.id, said))
    },
    reject(error: unknown) {
      inHand.talkEnded()
      ended()
      packed?.refused(frame)
      refuse(frame, error)
    },
  }
  inHand.talkBegan()
  try {
    admitTalk(ctx, readTalk(frame.command), { door: 'socket', trace: frame.trace }, end)
  } catch (error) {
    end.reject(error)
  }
}
