/** The connection to the hub: handshake with key proof, frames, flow control and heartbeats. The session interprets the frames. */
import { helloBytes, type Json, type Problem, type ServerFrame, type Signer, type WelcomeFrame } from '@parley/protocol'
import type { z } from 'zod'
import { ProblemError, serverChanged, sessionFenced } from '../errors.ts'
import { retryAfterMs } from './pending-commands.ts'
import { type Backoff, openReconnectingSocket, type ReconnectingSocket } from './reconnecting-socket.ts'

/** The server's answer to a valid hello: its DID, this agent's ids, and its rooms with their acked positions. */
export type Welcome = z.infer<typeof WelcomeFrame>

/** A delivered message of which only room and sequence number are parsed. */
export type DeliveredMessage = { readonly room_id: string; readonly seq: number; readonly envelope: unknown }

/** Options of `openTransport`. `urls`: hubs of one market. `token`: binds the key on the first connection. */
export type TransportOptions = {
  readonly urls: readonly string[]
  readonly signer: Signer
  readonly token: string | undefined
  /** The server's DID. If undefined, the DID of the first connection is required of all later ones. */
  readonly server: string | undefined
  readonly backoff: Backoff
  /** A received JSON value as a frame; undefined if it is none of this version. `deliver` frames are read without it. */
  readonly readFrame: (value: unknown) => ServerFrame | undefined
}

/** What the transport calls, each after the frame was validated. */
export type TransportEvents = {
  welcome(frame: Welcome): void
  deliver(message: DeliveredMessage): void
  joined(room_id: string): void
  result(id: string | number, result: Json): void
  problem(id: string | number | null, problem: Problem): void
  disconnected(): void
  /** The transport has ended: a newer connection replaced it, or the server refused it permanently. */
  end(error: ProblemError): void
}

/** An authenticated connection. */
export type Transport = {
  /** False if the handshake is not complete; the frame is then dropped. */
  send(frame: object): boolean
  sendText(text: string): boolean
  close(): void
}

/** Flow control: after so many frames a ping follows, and its pong allows the next ones. The server disconnects faster senders. */
const maxFramesPerPong = 20

type State = {
  readonly options: TransportOptions
  readonly events: TransportEvents
  readonly socket: ReconnectingSocket
  server: string | undefined
  token: string | undefined
  isWelcomed: boolean
  isClosed: boolean
  queue: string[]
  framesSincePing: number
  isPongPending: boolean
}

/** Connects, proves the key, and connects again after every loss until `close`. */
export function openTransport(options: TransportOptions, events: TransportEvents): Transport {
  const socket = openReconnectingSocket(
    options.urls,
    {
      text(text) {
        if (!state.isClosed) receive(state, parse(text))
      },
      disconnected() {
        state.isWelcomed = false
        events.disconnected()
      },
    },
    options.backoff,
  )
  const state: State = {
    options,
    events,
    socket,
    server: options.server,
    token: options.token,
    isWelcomed: false,
    isClosed: false,
    queue: [],
    framesSincePing: 0,
    isPongPending: false,
  }
  function sendText(text: string): boolean {
    if (!state.isWelcomed) return false
    state.queue.push(text)
    flush(state)
    return true
  }
  return { sendText, send: (frame) => sendText(JSON.stringify(frame)), close: () => close(state) }
}

function end(state: State, error: ProblemError): void {
  if (state.isClosed) return
  close(state)
  state.events.end(error)
}

function close(state: State): void {
  while (state.queue.length > 0 && state.socket.send(state.queue.shift() ?? '')) {}
  state.isClosed = true
  state.isWelcomed = false
  state.socket.close()
}

/** Keeps at most two batches in flight: one whose pong is awaited, and one behind it. */
function flush(state: State): void {
  while (state.queue.length > 0 && state.framesSincePing < maxFramesPerPong) {
    if (!state.socket.send(state.queue[0] ?? '')) return
    state.queue.shift()
    state.framesSincePing++
    if (state.framesSincePing === maxFramesPerPong && !state.isPongPending) sendPing(state)
  }
}

function sendPing(state: State): void {
  state.isPongPending = state.socket.send('{"type":"ping"}')
  state.framesSincePing = 0
}

function receive(state: State, value: unknown): void {
  const message = readDelivered(value)
  if (message) {
    if (state.isWelcomed) state.events.deliver(message)
    return
  }
  const frame = state.options.readFrame(value)
  // Unknown frames belong to later versions of the protocol.
  if (frame) handleFrame(state, frame)
}

function handleFrame(state: State, frame: ServerFrame): void {
  const { events, socket } = state
  switch (frame.type) {
    case 'challenge':
      proveKey(state, frame).catch(() => socket.reconnect())
      break
    case 'welcome':
      startConnection(state, frame)
      break
    case 'joined':
      events.joined(frame.room_id)
      break
    case 'result':
      events.result(frame.id, frame.result)
      break
    case 'problem':
      if (state.isWelcomed || frame.id !== null) events.problem(frame.id, frame.problem)
      else if (frame.problem.retry === 'later') socket.reconnect(retryAfterMs(frame.problem))
      else end(state, new ProblemError(frame.problem))
      break
    case 'fenced':
      end(state, sessionFenced())
      break
    case 'ping':
      socket.send('{"type":"pong"}')
      break
    case 'pong':
      state.isPongPending = false
      if (state.framesSincePing === maxFramesPerPong) sendPing(state)
      flush(state)
      break
    case 'deliver':
      break
  }
}

/** Signs the server's nonce with the agent's key. */
async function proveKey(state: State, challenge: Extract<ServerFrame, { type: 'challenge' }>): Promise<void> {
  const { nonce, server: audience } = challenge
  if (state.server !== undefined && state.server !== audience) return end(state, serverChanged(state.server, audience))
  state.server = audience
  const { signer } = state.options
  const { did } = signer
  const signature = await signer.sign(helloBytes({ audience, nonce, did }))
  state.socket.send(JSON.stringify({ type: 'hello', did, signature, client: 'parley-agents/0.1.0', token: state.token }))
}

function startConnection(state: State, frame: Welcome): void {
  // The token has bound the key to its listing. It is not sent again, so it cannot leak.
  state.token = undefined
  state.isWelcomed = true
  state.queue = []
  state.framesSincePing = 0
  state.isPongPending = false
  state.socket.markWelcomed()
  state.events.welcome(frame)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const deliverType: ServerFrame['type'] = 'deliver'

/** Reads room and sequence number only, so that an invalid message does not block its room. */
function readDelivered(value: unknown): DeliveredMessage | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== deliverType || !('envelope' in value))
    return undefined
  const { envelope } = value
  if (typeof envelope !== 'object' || envelope === null || !('room_id' in envelope) || !('seq' in envelope)) return undefined
  const { room_id, seq } = envelope
  return typeof room_id === 'string' && Number.isSafeInteger(seq) ? { room_id, seq: Number(seq), envelope } : undefined
}
