import type { CommandFrame } from '@parley/protocol'
import { dispatchMessage, parsePostMessage } from '../../commands/index.ts'
import type { PostResult } from '../../conversations/index.ts'
import { DomainError, isDatabaseAway } from '../../errors.ts'
import { postResultFrame } from '../codec/frames.ts'
import { type ConnectionState, disconnect, sendProblem } from './connection-state.ts'

/**
 * Handles `message.post`: posts the message and answers when it is committed. The next frame does not wait for it.
 * The post holds a place in the window until it has its result or its error.
 */
export function handlePostMessage(state: ConnectionState, frame: CommandFrame): void {
  const completion = {
    resolve(posted: PostResult) {
      endPost(state)
      state.writer.writeText(postResultFrame(frame.id, posted))
    },
    reject(error: unknown) {
      endPost(state)
      rejectPost(state, frame.id, error)
    },
  }
  state.inFlightFrames++
  state.inFlight.postStarted()
  try {
    dispatchMessage(state.ctx, parsePostMessage(frame.command), { endpoint: 'socket', traceparent: frame.traceparent }, completion)
  } catch (error) {
    completion.reject(error)
  }
}

function endPost(state: ConnectionState): void {
  state.inFlight.postFinished()
  state.inFlightFrames--
}

/** If the database is unavailable, the agent reconnects and repeats its posts in order. */
function rejectPost(state: ConnectionState, id: string | number, error: unknown): void {
  if (isDatabaseAway(error) || (error instanceof DomainError && error.code === 'server.unavailable')) {
    if (!state.isClosed) disconnect(state, 1013, 'not written down, come again')
  } else sendProblem(state, id, error)
}
