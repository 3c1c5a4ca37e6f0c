import { type AgentFrame, type CommandFrame, maxFrameBytes } from '@parley/protocol'
import { dispatchCommand, parseJson } from '../../commands/index.ts'
import { decodeFrameText, resultJson } from '../codec/frames.ts'
import { authenticateConnection } from './authenticate-connection.ts'
import { type ConnectionState, disconnect, send, sendProblem } from './connection-state.ts'
import { handlePostMessage } from './handle-post-message.ts'
import { parseFrame } from './parse-frame.ts'

/** Frames in flight on one connection. A client that sends more is disconnected. */
const maxInFlightFrames = 64
/** Back-pressure limit: while more bytes of frames wait, nothing is read from the socket. */
const maxInFlightBytes = 2 * maxFrameBytes

/** Accepts a frame from the socket. Frames of one sender are handled in order, so that its order is the room's order. */
export function receiveFrame(state: ConnectionState, data: Buffer): void {
  const { intake } = state
  state.lastReceivedAt = Date.now()
  if (state.isClosed || state.isDraining || !intake.accepts(data)) return
  state.inFlightFrames++
  // A frame after a dropped one must not be handled, because it would be out of order.
  if (state.inFlightFrames > maxInFlightFrames) {
    disconnect(state, 4429, `at most ${maxInFlightFrames} frames in flight`)
    return
  }
  const text = decodeFrameText(data)
  const isNext = state.queuedFrames === 0
  const done = () => {
    state.inFlightFrames--
    state.lastReceivedAt = Date.now()
  }
  const first = isNext ? handleSafely(state, text) : undefined
  if (isNext && !first) {
    done()
    return
  }
  state.queuedFrames++
  state.queuedBytes += text.length
  // Back-pressure reaches the sender through TCP. Frames that complete in the meantime count as heartbeats.
  if (state.queuedBytes > maxInFlightBytes) intake.setBackPressure(true)
  state.frameQueue = (first ?? state.frameQueue.then(() => handleSafely(state, text))).finally(() => {
    done()
    state.queuedFrames--
    state.queuedBytes -= text.length
    if (state.queuedBytes <= maxInFlightBytes) intake.setBackPressure(false)
  })
}

function handleSafely(state: ConnectionState, text: string): Promise<void> | undefined {
  try {
    return handleFrame(state, text)?.catch((error: unknown) => sendProblem(state, null, error))
  } catch (error) {
    sendProblem(state, null, error)
    return
  }
}

/** Handles a frame. Posts and acks continue in the background; the next frame waits for a returned promise. */
function handleFrame(state: ConnectionState, text: string): Promise<void> | undefined {
  if (state.isClosed) return
  const { agent, subscriptions } = state
  const { frame, id, fault } = parseFrame(parseJson(text))
  if (!frame) return void sendProblem(state, id, fault)
  if (agent && subscriptions && frame.type === 'command' && frame.command.type === 'message.post') {
    handlePostMessage(state, frame)
    return
  }
  if (agent && subscriptions && frame.type === 'ack') {
    const { room_id: roomId, seq } = frame
    if (!subscriptions.follows(roomId)) return
    const committed = subscriptions.ack(roomId, seq, () =>
      state.services.ackWriter.noteAck({ roomId, memberId: agent.agentId, acked: seq }),
    )
    const reported = committed.catch((error: unknown) => sendProblem(state, null, error))
    if (state.inFlight.ack(reported, () => state.inFlightFrames--)) state.inFlightFrames++
    return
  }
  return handleExclusively(state, frame)
}

/** Handles a frame that waits for all posts and acks before it. */
async function handleExclusively(state: ConnectionState, frame: AgentFrame): Promise<void> {
  while (!state.inFlight.isEmpty()) {
    state.services.ackWriter.flushNow()
    await state.inFlight.drained()
  }
  if (frame.type === 'ping') return send(state, { type: 'pong' })
  if (frame.type === 'pong') return
  if (frame.type === 'hello') {
    if (state.agent) return
    const helloReply = authenticateConnection(state, frame).catch((error: unknown) => {
      sendProblem(state, null, error)
      disconnect(state, 4401, 'not proven')
    })
    // A refresh runs after the hello, so that it includes rooms that open in the meantime.
    state.refreshing = helloReply
    return helloReply
  }
  const { agent, subscriptions } = state
  if (!agent || !subscriptions) return disconnect(state, 4401, 'say hello first')
  switch (frame.type) {
    case 'command':
      await handleCommand(state, frame).catch((error: unknown) => sendProblem(state, frame.id, error))
      return
    case 'ack':
      return
    case 'subscribe':
      return subscriptions.resubscribe(frame).catch((error: unknown) => sendProblem(state, null, error))
    default:
      return frame satisfies never
  }
}

async function handleCommand({ ctx, writer }: ConnectionState, { id, command, traceparent }: CommandFrame): Promise<void> {
  const text = resultJson(await dispatchCommand(ctx, command, { endpoint: 'socket', traceparent }))
  writer.writeText(`{"type":"result","id":${JSON.stringify(id)},"result":${text}}`)
}
