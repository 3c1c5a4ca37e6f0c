import { randomBytes } from 'node:crypto'
import {
  type EnvelopeDraft,
  helloBytes,
  isDeadLetterPlaceholder,
  type ServerFrame,
  type Signer,
  signEnvelope,
  signerFromSeed,
  uuidv7,
} from '@parley/protocol'
import { WebSocket } from 'ws'
import { readRestartDelayMs } from '../../agents/src/transport/reconnecting-socket.ts'
import type { Actor } from '../../bench/hub/seed-agents.ts'
import type { Run } from './check-delivery.ts'
import { openStallableConnection, type StallableConnection } from './stallable-connection.ts'

/**
 * A minimal agent that follows the protocol. It repeats a message with the same id until it is acked, in the order of sending. It resumes
 * from its position after a reconnect, and reconnects after a random delay. It records all that it received.
 */
export type Client = {
  readonly actor: Actor
  readonly sent: readonly string[]
  readonly acks: readonly { id: string; room: string; seq: number }[]
  readonly runs: readonly Run[]
  /** Its position in its room, without a gap. */
  readonly cursor: () => number
  readonly unanswered: () => number
  readonly isConnected: () => boolean
  readonly refusals: readonly string[]
  readonly counts: {
    connects: number
    resends: number
    duplicates: number
    refused: number
    tooSlow: number
    placeholders: number
  }
  postNext(): Promise<void>
  /** Cuts the connection without a close frame, as a network failure does. */
  cut(): void
  /** Stalls both directions for this time. */
  stall(ms: number): void
  /** Stops reading received data until `resume`. */
  read(isReading: boolean): void
  /** Reconnects, reads only the welcome frame, and stops reading until a command resumes it. */
  reconnectWithoutReading(): void
  /** Abandons the open connection without a close frame, and reconnects by another one. */
  abandonConnection(): void
  close(): void
}

/** Messages in flight at which the client stops posting. */
const window = 32
/** The hub closes the connection of a reader that is too slow with this code. */
const slowReaderCloseCode = 4408
/** Replaces the id in a recorded run where the hub reported an undeliverable message. */
export const placeholder = 'placeholder'

/** `bytes`: of a message's text. `onPosted` and `onReceived`: by envelope id, of messages that arrived without a fault. */
export type ClientBehaviour = {
  readonly duplicates: number
  readonly bytes?: number
  /** The text, by the message's id. */
  textOf?(id: string): string
  onPosted?(id: string): void
  onReceived?(id: string): void
}

/** `hubUrls`: any hub of one market; after a disconnect the next one is used. */
export function startLoadClient(
  hubUrls: string | readonly string[],
  actor: Actor,
  random: () => number,
  behaviour: ClientBehaviour,
): Client {
  const urls = [hubUrls].flat()
  const sent: string[] = []
  const acks: { id: string; room: string; seq: number }[] = []
  const runs: { reader: string; room: string; after: number; got: { seq: number; id: string }[] }[] = []
  /** Commands without an answer, by envelope id, in the order of the first sends. */
  const open = new Map<string, string>()
  const refusals: string[] = []
  const counts = { connects: 0, resends: 0, duplicates: 0, refused: 0, tooSlow: 0, placeholders: 0 }
  const room = actor.roomId
  let signer: Signer | null = null
  let link: StallableConnection | null = null
  let server = ''
  let isWelcome = false
  let isClosed = false
  let cursor = 0
  let acked = 0
  let attempt = 0
  let urlIndex = 0
  let isReadingStopped = false
  const abandoned: StallableConnection[] = []

  function connect(): void {
    if (isClosed) return
    const own = openStallableConnection(new WebSocket(urls[urlIndex % urls.length] ?? ''))
    link = own
    let run: (typeof runs)[number] | null = null
    own.socket.on('message', (data) => {
      if (own !== link) return
      const frame = JSON.parse(data.toString()) as ServerFrame
      switch (frame.type) {
        case 'challenge':
          void hello(own, frame.nonce, frame.server)
          return
        case 'welcome': {
          server = frame.server
          isWelcome = true
          attempt = 0
          counts.connects++
          const after = frame.rooms.find((one) => one.room_id === room)?.acked ?? 0
          run = { reader: actor.did, room, after, got: [] }
          runs.push(run)
          for (const text of open.values()) {
            counts.resends++
            own.send(text)
          }
          if (isReadingStopped) own.read(false)
          return
        }
        case 'deliver': {
          const { seq = 0, id, room_id } = frame.envelope
          if (room_id !== room) return
          const isHeld = isDeadLetterPlaceholder(frame.envelope, server)
          if (isHeld) counts.placeholders++
          run?.got.push({ seq, id: isHeld ? placeholder : id })
          if (seq === cursor + 1) cursor = seq
          if (!own.wasStalled()) behaviour.onReceived?.(id)
          return
        }
        case 'result': {
          const { id, seq } = frame.result as { id: string; seq: number }
          acks.push({ id, room, seq })
          open.delete(id)
          return
        }
        case 'problem':
          // A frame without an id is a fault of the connection, so the hub closes it.
          if (frame.id === null) return
          counts.refused++
          refusals.push(frame.problem.code)
          return
        case 'ping':
          own.send('{"type":"pong"}')
          return
        default:
          return
      }
    })
    own.socket.on('error', () => undefined)
    own.socket.on('close', (code, reason) => {
      if (code === slowReaderCloseCode) counts.tooSlow++
      if (own !== link) return
      isWelcome = false
      link = null
      urlIndex++
      setTimeout(connect, random() * (readRestartDelayMs(code, reason.toString()) ?? Math.min(2_000, 50 * 2 ** attempt++)))
    })
  }

  async function hello(own: StallableConnection, nonce: string, audience: string): Promise<void> {
    signer ??= await signerFromSeed(actor.seed)
    const signature = await signer.sign(helloBytes({ audience, nonce, did: actor.did }))
    own.send(JSON.stringify({ type: 'hello', did: actor.did, signature }))
  }

  connect()
  const acking = setInterval(() => {
    if (!isWelcome || cursor === acked) return
    acked = cursor
    link?.send(JSON.stringify({ type: 'ack', room_id: room, seq: cursor }))
  }, 100)
  return {
    actor,
    sent,
    acks,
    runs,
    refusals,
    counts,
    cursor: () => cursor,
    unanswered: () => open.size,
    isConnected: () => isWelcome,
    async postNext() {
      if (open.size >= window) return
      signer ??= await signerFromSeed(actor.seed)
      const id = uuidv7(Date.now(), randomBytes(10))
      const draft = {
        id,
        room_id: room,
        sender_id: actor.did,
        state: 'discussion',
        type: 'discussion',
        parts: [{ text: behaviour.textOf?.(id) ?? `${sent.length}`.padEnd(behaviour.bytes ?? 0, '.') }],
      }
      const envelope = await signEnvelope(signer, draft as unknown as EnvelopeDraft)
      const text = JSON.stringify({ type: 'command', id, command: { type: 'message.post', room_id: room, envelope } })
      sent.push(id)
      open.set(id, text)
      if (!isWelcome) return
      if (!link?.wasStalled()) behaviour.onPosted?.(id)
      link?.send(text)
      if (random() < behaviour.duplicates) {
        counts.duplicates++
        link?.send(text)
      }
    },
    cut: () => link?.socket.terminate(),
    stall: (ms) => link?.stall(ms),
    read(isReading) {
      isReadingStopped = false
      link?.read(isReading)
    },
    reconnectWithoutReading() {
      isReadingStopped = true
      link?.socket.terminate()
    },
    abandonConnection() {
      if (!link || !isWelcome) return
      link.read(false)
      abandoned.push(link)
      link = null
      isWelcome = false
      connect()
    },
    close() {
      isClosed = true
      clearInterval(acking)
      for (const one of [...abandoned, ...(link ? [link] : [])]) one.socket.terminate()
    },
  }
}
