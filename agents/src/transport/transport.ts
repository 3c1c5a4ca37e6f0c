/** The server's door: the key proof on every connection, frames in and out, pings answered. What frames mean is the session's. */
import { DeliverFrame, helloBytes, type Json, type Problem, packing, ServerFrame, type Signer, type WelcomeFrame } from '@parley/protocol'
import type { z } from 'zod'
import { ProblemError, serverChanged, sessionFenced } from '../errors.ts'
import { createPacking, type Packing } from './packed-codec.ts'
import { askedWaitMs } from './pending-commands.ts'
import { type Backoff, openLink } from './reconnecting-socket.ts'

export type Welcome = z.infer<typeof WelcomeFrame>

/** A message as it came, before anything but its place is read. */
export type Delivered = { readonly group_id: string; readonly seq: number; readonly value: unknown }

export type DoorOptions = {
  readonly urls: readonly string[]
  readonly signer: Signer
  readonly token: string | undefined
  /** The server's DID; where it is not given, the first one met is kept to. */
  readonly server: string | undefined
  readonly backoff: Backoff
  /** Whether frames are packed where the server offers it. */
  readonly packed: boolean
}

export type DoorEvents = {
  welcome(frame: Welcome): void
  deliver(message: Delivered): void
  joined(group_id: string): void
  result(id: string | number, result: Json): void
  problem(id: string | number | null, problem: Problem): void
  down(): void
  /** It will not come back: a newer connection took over, or the server refused for a reason that time does not heal. */
  end(error: ProblemError): void
}

export type Door = {
  /** False where there is no welcomed connection. */
  send(frame: object): boolean
  sendText(text: string): boolean
  close(): void
}

/** Frames that go out before the server has to show, by a pong, that it has read them. It cuts off who runs too far ahead. */
const burst = 20

export function openDoor(options: DoorOptions, events: DoorEvents): Door {
  let { server, token } = options
  let welcomed = false
  let closed = false
  let queue: string[] = []
  let sent = 0
  let asked = false
  /** Of this connection, where both sides have agreed to it. */
  let packer: Packing | undefined

  function end(error: ProblemError): void {
    if (closed) return
    close()
    events.end(error)
  }

  function close(): void {
    while (queue.length > 0 && link.send(packed(queue.shift() ?? ''))) {}
    closed = true
    welcomed = false
    link.stop()
  }

  /** At most two bursts are under way: one that the pong is awaited for, and one behind it. */
  function pump(): void {
    while (queue.length > 0 && sent < burst) {
      if (!link.send(packed(queue[0] ?? ''))) return
      queue.shift()
      sent++
      if (sent === burst && !asked) {
        asked = link.send('{"type":"ping"}')
        sent = 0
      }
    }
  }

  const packed = (text: string) => packer?.pack(text) ?? text

  async function prove(nonce: string, audience: string, ways: readonly string[] = []): Promise<void> {
    if (server !== undefined && server !== audience) return end(serverChanged(server, audience))
    server = audience
    const { did } = options.signer
    const signature = await options.signer.sign(helloBytes({ audience, nonce, did }))
    const way = options.packed && ways.includes(packing) ? packing : undefined
    link.send(JSON.stringify({ type: 'hello', did, signature, client: 'parley-agents/0.1.0', token, packed: way }))
  }

  function take(frame: ServerFrame): void {
    switch (frame.type) {
      case 'challenge':
        prove(frame.nonce, frame.server, frame.packed).catch(() => link.drop())
        break
      case 'welcome':
        // A bound key needs no token, and a token that is not sent can't leak.
        token = undefined
        welcomed = true
        packer = frame.packed === packing ? createPacking() : undefined
        queue = []
        sent = 0
        asked = false
        link.welcomed()
        events.welcome(frame)
        break
      case 'joined':
        events.joined(frame.group_id)
        break
      case 'result':
        events.result(frame.id, frame.result)
        break
      case 'problem':
        if (welcomed || frame.id !== null) events.problem(frame.id, frame.problem)
        else if (frame.problem.retry === 'later') link.drop(askedWaitMs(frame.problem))
        else end(new ProblemError(frame.problem))
        break
      case 'fenced':
        end(sessionFenced())
        break
      case 'ping':
        link.send('{"type":"pong"}')
        break
      case 'pong':
        asked = false
        if (sent === burst) {
          asked = link.send('{"type":"ping"}')
          sent = 0
        }
        pump()
        break
      case 'deliver':
      case 'said':
      case 'words':
        break
    }
  }

  function unpacked(from: Packing, bytes: Uint8Array): unknown[] {
    try {
      return from.unpack(bytes)
    } catch {
      // The next connection goes on from where this agent has come, with all words told anew.
      link.drop()
      return []
    }
  }

  function hear(value: unknown): void {
    const delivered = readDelivered(value)
    if (delivered) {
      if (welcomed) events.deliver(delivered)
      return
    }
    const frame = ServerFrame.safeParse(value)
    // A frame that this version doesn't know is for later versions.
    if (frame.success) take(frame.data)
  }

  const link = openLink(
    options.urls,
    {
      text(text) {
        if (!closed) hear(parse(text))
      },
      bytes(bytes) {
        if (closed || !packer) return
        for (const value of unpacked(packer, bytes)) hear(value)
      },
      down() {
        welcomed = false
        packer = undefined
        events.down()
      },
    },
    options.backoff,
  )

  function sendText(text: string): boolean {
    if (!welcomed) return false
    queue.push(text)
    pump()
    return true
  }
  return { sendText, send: (frame) => sendText(JSON.stringify(frame)), close }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const deliverType = DeliverFrame.shape.type.value

/** The place of a message is read without its content, so that one that can't be read doesn't hold up its room. */
function readDelivered(value: unknown): Delivered | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== deliverType || !('envelope' in value))
    return undefined
  const { envelope } = value
  if (typeof envelope !== 'object' || envelope === null || !('group_id' in envelope) || !('seq' in envelope)) return undefined
  const { group_id, seq } = envelope
  return typeof group_id === 'string' && Number.isSafeInteger(seq) ? { group_id, seq: Number(seq), value: envelope } : undefined
}
