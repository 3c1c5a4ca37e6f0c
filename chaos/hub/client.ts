import { randomBytes } from 'node:crypto'
import {
  type EnvelopeDraft,
  helloBytes,
  isPlaceholder,
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
import { type Link, openStallableConnection } from './stallable-connection.ts'

/**
 * An agent without a library, that does as the contract asks: the same id until it is acked, in the order in which it was
 * first sent; from its place on after each connection; a wait of random length before it comes back. It keeps what it saw.
 */
export type Client = {
  readonly actor: Actor
  readonly sent: readonly string[]
  readonly acks: readonly { id: string; room: string; seq: number }[]
  readonly runs: readonly Run[]
  /** Its position in its room, without a gap. */
  readonly cursor: () => number
  readonly unanswered: () => number
  readonly isThere: () => boolean
  readonly refusals: readonly string[]
  readonly counts: {
    connects: number
    resends: number
    duplicates: number
    refused: number
    tooSlow: number
    placeholders: number
  }
  say(): Promise<void>
  /** Ends the connection without a word, as a network does. */
  cut(): void
  /** For so long nothing passes in either direction. */
  stall(ms: number): void
  /** Received data is not read until a command says so. */
  read(isReading: boolean): void
  /** Comes back by a connection of which it reads only the welcome, until it gets the command to read. */
  doze(): void
  /** Is gone for the hub without a word, and comes back by another connection; the old one stays open and silent. */
  vanish(): void
  close(): void
}

/** Messages under way, beyond which nothing new is said. */
const window = 32
const readTooSlowly = 4408
/** What stands in a run in the place of an id, where the hub said that it can't deliver the message. */
export const placeholder = 'placeholder'

/** `bytes`: of a message's text. `onSaid` and `onHeard`: by envelope id, of messages that came while the connection was whole. */
export type Habits = {
  readonly duplicates: number
  readonly bytes?: number
  /** The text itself, by the message's id. */
  wordsOf?(id: string): string
  onSaid?(id: string): void
  onHeard?(id: string): void
}

/** `doors`: any of one market; after an end the next one is tried. */
export function startClient(doors: string | readonly string[], actor: Actor, random: () => number, habits: Habits): Client {
  const urls = [doors].flat()
  const sent: string[] = []
  const acks: { id: string; room: string; seq: number }[] = []
  const runs: { reader: string; room: string; after: number; got: { seq: number; id: string }[] }[] = []
  /** Commands without an answer, by envelope id, in the order in which they were first sent. */
  const open = new Map<string, string>()
  const refusals: string[] = []
  const counts = { connects: 0, resends: 0, duplicates: 0, refused: 0, tooSlow: 0, placeholders: 0 }
  const room = actor.roomId
  let signer: Signer | null = null
  let link: Link | null = null
  let server = ''
  let isWelcome = false
  let isClosed = false
  let cursor = 0
  let acked = 0
  let attempt = 0
  let door = 0
  let isDozing = false
  const forgotten: Link[] = []

  function connect(): void {
    if (isClosed) return
    const own = openStallableConnection(new WebSocket(urls[door % urls.length] ?? ''))
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
          if (isDozing) own.read(false)
          return
        }
        case 'deliver': {
          const { seq = 0, id, room_id } = frame.envelope
          if (room_id !== room) return
          const isHeld = isPlaceholder(frame.envelope, server)
          if (isHeld) counts.placeholders++
          run?.got.push({ seq, id: isHeld ? placeholder : id })
          if (seq === cursor + 1) cursor = seq
          if (!own.wasStalled()) habits.onHeard?.(id)
          return
        }
        case 'result': {
          const { id, seq } = frame.result as { id: string; seq: number }
          acks.push({ id, room, seq })
          open.delete(id)
          return
        }
        case 'problem':
          // Without an id it belongs to the connection, which the hub ends.
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
      if (code === readTooSlowly) counts.tooSlow++
      if (own !== link) return
      isWelcome = false
      link = null
      door++
      setTimeout(connect, random() * (readRestartDelayMs(code, reason.toString()) ?? Math.min(2_000, 50 * 2 ** attempt++)))
    })
  }

  async function hello(own: Link, nonce: string, audience: string): Promise<void> {
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
    isThere: () => isWelcome,
    async say() {
      if (open.size >= window) return
      signer ??= await signerFromSeed(actor.seed)
      const id = uuidv7(Date.now(), randomBytes(10))
      const draft = {
        id,
        room_id: room,
        sender_id: actor.did,
        state: 'discussion',
        type: 'discussion',
        parts: [{ text: habits.wordsOf?.(id) ?? `${sent.length}`.padEnd(habits.bytes ?? 0, '.') }],
      }
      const envelope = await signEnvelope(signer, draft as unknown as EnvelopeDraft)
      const text = JSON.stringify({ type: 'command', id, command: { type: 'message.post', room_id: room, envelope } })
      sent.push(id)
      open.set(id, text)
      if (!isWelcome) return
      if (!link?.wasStalled()) habits.onSaid?.(id)
      link?.send(text)
      if (random() < habits.duplicates) {
        counts.duplicates++
        link?.send(text)
      }
    },
    cut: () => link?.socket.terminate(),
    stall: (ms) => link?.stall(ms),
    read(isReading) {
      isDozing = false
      link?.read(isReading)
    },
    doze() {
      isDozing = true
      link?.socket.terminate()
    },
    vanish() {
      if (!link || !isWelcome) return
      link.read(false)
      forgotten.push(link)
      link = null
      isWelcome = false
      connect()
    },
    close() {
      isClosed = true
      clearInterval(acking)
      for (const one of [...forgotten, ...(link ? [link] : [])]) one.socket.terminate()
    },
  }
}
