import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type EnvelopeDraft,
  helloBytes,
  maxDelegationSeconds,
  type Signer,
  signDelegation,
  signEnvelope,
  signerFromSeed,
  uuidv7,
} from '@parley/protocol'
import { createMessageChecker, type MessageChecker } from './check-received-messages.ts'
import {
  clientFrame,
  type Kind as FrameKind,
  kindOfHubs,
  numberedFrames,
  openThinSocket,
  type ThinSocket,
} from './minimal-websocket-client.ts'
import type { Actor } from './seed-agents.ts'

/**
 * `session`: texts that the hub signs under each sender's delegation. `signed`: envelopes with their sender's signature. `relay`: the bare
 * relay. `reference`: the bare durable hub.
 */
export type Kind = 'session' | 'signed' | 'relay' | 'reference'
export type LoadOptions = {
  readonly bytes: number
  /** Messages of one sender that may wait for their answer. */
  readonly window: number
  readonly warmMs: number
  readonly ms: number
  /** Messages per second over all senders, independent of the answers (open loop). Omitted: as fast as answers arrive (closed loop). */
  readonly rate?: number
  /** The number of members that post. Omitted: all. */
  readonly senders?: number
}
export type LoadResult = {
  readonly ms: number
  readonly accepted: number
  readonly delivered: number
  readonly refused: number
  /** Messages that were not sent, because their sender had too many without an answer. */
  readonly late: number
  /** From the send to the arrival at each member, in milliseconds. Only with a `rate`. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly count: number } | null
  /** The number of verified signatures of received messages. */
  readonly checked: number
}

type Seat = {
  readonly actor: Actor
  readonly signer: Signer
  socket: ThinSocket
  seen: number
  acked: number
  /** Messages that were signed before the measurement, each in its frame. */
  ready: Buffer[]
  busy: number
  /** The number of messages to send at the end of this turn. */
  due: number
  frames: ((count: number) => Buffer) | null
  witness: MessageChecker | null
}
export type LoadConnections = {
  readonly connectMs: number
  drive(how: LoadOptions): Promise<LoadResult>
  /** Milliseconds until the first message after `after` has arrived. */
  resume(after: number): Promise<number>
  close(): Promise<void>
}

const ackEveryMs = 50
/** The agents do not ack all at the same time, as real agents would not. */
const ackTurns = 25
/** The position of the sender in a bare hub's message: `{"by":`. */
const speakerAt = 6
/** The hub disconnects an agent with 64 messages in flight. */
const maxBusy = 48

export type ConnectLoadOptions = {
  readonly port: number
  readonly server: string
  readonly actors: readonly Actor[]
  readonly kind: Kind
  /** The position that all of them have acked in their room. */
  readonly acked: number
  /** The number of agents that connect at a time. */
  readonly atOnce: number
}

/** Connects all agents, each with its own key. A refused agent tries again, as agents do. */
export async function connectLoad({ port, server, actors, kind, acked, atOnce }: ConnectLoadOptions): Promise<LoadConnections> {
  let measure: { accepted: number; delivered: number; refused: number; latencies: number[] | null } | null = null
  let again: ((seat: Seat) => void) | null = null
  const isBare = kind === 'relay' || kind === 'reference'
  let resumed: (() => void) | null = null
  const began = performance.now()
  const seats: Seat[] = []
  const left = [...actors]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let actor = left.shift(); actor; actor = left.shift()) seats.push(await comeIn(actor))
    }),
  )
  const connectMs = performance.now() - began
  let turn = 0
  const acks = setInterval(() => {
    if (isBare) return
    for (let index = turn++ % ackTurns; index < seats.length; index += ackTurns) {
      const seat = seats[index]
      if (!seat || seat.seen === seat.acked) continue
      seat.acked = seat.seen
      seat.socket.send(`{"type":"ack","room_id":"${seat.actor.roomId}","seq":${acked + seat.seen}}`)
    }
  }, ackEveryMs / ackTurns)

  async function comeIn(actor: Actor): Promise<Seat> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sit(actor)
      } catch (error) {
        if (attempt === 20) throw error
        await pause(Math.random() * 250 * 2 ** Math.min(attempt, 5))
      }
    }
  }

  async function sit(actor: Actor): Promise<Seat> {
    const signer = await signerFromSeed(actor.seed)
    const { promise: welcomed, resolve, reject } = Promise.withResolvers<void>()
    const seat: Seat = {
      actor,
      signer,
      seen: 0,
      acked: 0,
      ready: [],
      busy: 0,
      due: 0,
      frames: null,
      witness: !isBare && actor.isWitness ? createMessageChecker(server, actor.roomId) : null,
      socket: null as never,
    }
    const path = isBare ? `/${actor.roomId}` : '/v1/ws'
    const own = actor.did.charCodeAt(actor.did.length - 1)
    const receive = (what: FrameKind, payload: Buffer) => {
      switch (what) {
        case 'own':
        case 'deliver':
          seat.seen++
          if (measure) measure.delivered++
          if (payload.length > 0) {
            if (measure?.latencies) noteLatency(measure.latencies, payload)
            if (measure) seat.witness?.check(payload)
          }
          resumed?.()
          if (what === 'deliver') return
          if (measure) measure.accepted++
          return answered(seat)
        case 'result':
          if (measure) measure.accepted++
          return answered(seat)
        case 'problem':
          if (measure) measure.refused++
          else reject(new Error(payload.toString()))
          return answered(seat)
        default:
          void greet(payload.toString()).catch(reject)
      }
    }
    const greet = async (text: string) => {
      if (text.startsWith('{"type":"ping"')) return seat.socket.send('{"type":"pong"}')
      if (text.startsWith('{"type":"welcome"')) return resolve()
      if (!text.startsWith('{"type":"challenge"')) return
      const { nonce } = JSON.parse(text) as { nonce: string }
      const signature = await signer.sign(helloBytes({ audience: server, nonce, did: actor.did }))
      const delegation = kind === 'session' ? await signDelegation(signer, server, today()) : undefined
      seat.socket.send(JSON.stringify({ type: 'hello', did: actor.did, signature, delegation }))
    }
    const early: (readonly [FrameKind, Buffer])[] = []
    seat.socket = await openThinSocket(port, path, {
      kindOf: isBare ? (data, start) => (data[start + speakerAt] === own ? 'own' : 'deliver') : kindOfHubs,
      needsDeliveries: () => seat.witness !== null || measure?.latencies != null,
      onFrame: (what, payload) => (seat.socket === null ? early.push([what, Buffer.from(payload)]) : receive(what, payload)),
    })
    for (const [what, payload] of early) receive(what, payload)
    if (isBare) resolve()
    void seat.socket.closed.then(() => reject(new Error('closed before the welcome')))
    await welcomed
    return seat
  }

  function answered(seat: Seat): void {
    seat.busy--
    again?.(seat)
  }

  const speaking: Seat[] = []
  /** All messages of one sender in one turn are one write, as in a client library. */
  function postMessage(seat: Seat): void {
    seat.busy++
    if (seat.due++ > 0) return
    if (speaking.push(seat) === 1) process.nextTick(speak)
  }
  function speak(): void {
    for (const seat of speaking) {
      if (seat.frames) seat.socket.write(seat.frames(seat.due))
      else seat.socket.write(Buffer.concat(seat.ready.splice(-seat.due)))
      seat.due = 0
    }
    speaking.length = 0
  }

  let number = 0
  function textFor({ actor: { did, roomId } }: Seat, text: string, id: number): string {
    if (isBare) return `{"by":${did.slice(-1)},"id":${id},"text":"${text}"}`
    return `{"type":"command","id":${id},"command":{"type":"message.post","room_id":"${roomId}","parts":[{"text":"${text}"}]}}`
  }

  /** Signs before the measurement: the cost of an agent's signature is not the hub's. */
  async function prepare(seat: Seat, how: LoadOptions, count: number): Promise<void> {
    const { roomId, did } = seat.actor
    while (seat.ready.length < count) {
      const draft = {
        id: uuidv7(Date.now(), randomBytes(10)),
        room_id: roomId,
        sender_id: did,
        state: 'discussion',
        type: 'discussion',
        parts: [{ text: 'x'.repeat(how.bytes) }],
      } as unknown as EnvelopeDraft
      const command = JSON.stringify({ type: 'message.post', room_id: roomId, envelope: await signEnvelope(seat.signer, draft) })
      seat.ready.push(clientFrame(`{"type":"command","id":${++number},"command":${command}}`))
    }
  }

  return {
    connectMs,
    async drive(how) {
      const speakers = seats.slice(0, how.senders ?? seats.length)
      const filler = 'x'.repeat(how.bytes)
      for (const seat of speakers) {
        if (kind === 'signed') await prepare(seat, how, Math.ceil(((how.warmMs + how.ms) * 11) / speakers.length))
        else seat.frames = numberedFrames((id) => textFor(seat, filler, id))
      }
      let isOn = true
      let ticking: NodeJS.Timeout | undefined
      let late = 0
      if (how.rate === undefined) {
        again = (seat) => {
          if (isOn && (seat.frames || seat.ready.length > seat.due)) postMessage(seat)
        }
        for (const seat of speakers) for (let index = 0; index < how.window; index++) postMessage(seat)
      } else {
        const perMs = how.rate / 1_000
        const from = performance.now()
        let sent = 0
        ticking = setInterval(() => {
          for (const due = (performance.now() - from) * perMs; sent < due; sent++) {
            const seat = speakers[sent % speakers.length] as Seat
            if (seat.busy < maxBusy) {
              seat.busy++
              seat.socket.send(textFor(seat, `t=${microsNow()};${filler}`, ++number))
            } else if (measure) late++
          }
        }, 1)
      }
      await pause(how.warmMs)
      const counted = { accepted: 0, delivered: 0, refused: 0, latencies: how.rate === undefined ? null : ([] as number[]) }
      measure = counted
      const started = performance.now()
      await pause(how.ms)
      const ms = performance.now() - started
      const latencies = counted.latencies?.sort((a, b) => a - b) ?? null
      const at = (share: number) => latencies?.[Math.floor(latencies.length * share)] ?? 0
      const driven = {
        ms,
        accepted: counted.accepted,
        delivered: counted.delivered,
        refused: counted.refused,
        late,
        latency: latencies && { p50: at(0.5), p99: at(0.99), count: latencies.length },
      }
      isOn = false
      clearInterval(ticking)
      for (const until = performance.now() + 10_000; speakers.some((seat) => seat.busy > 0) && performance.now() < until; ) await pause(20)
      measure = null
      again = null
      const checked = await Promise.all(seats.map((seat) => seat.witness?.finish() ?? 0))
      return { ...driven, checked: checked.reduce((sum, one) => sum + one, 0) }
    },
    async resume(after) {
      const [seat] = seats
      if (!seat) throw new Error('the room has no members')
      const { promise, resolve } = Promise.withResolvers<void>()
      const from = performance.now()
      resumed = resolve
      seat.socket.send(JSON.stringify({ type: 'subscribe', room_id: seat.actor.roomId, after }))
      await promise
      const ms = performance.now() - from
      resumed = null
      // Waits for the rest of the messages before the next measurement.
      for (let before = -1; before !== seat.seen; await pause(60)) before = seat.seen
      return ms
    },
    async close() {
      clearInterval(acks)
      for (const seat of seats) seat.socket.end()
      await Promise.all(seats.map((seat) => seat.socket.closed))
    },
  }
}

/** The longest delegation that is allowed, from one minute ago. */
function today() {
  const not_before = Math.floor(Date.now() / 1_000) - 60
  return { not_before, expires_at: not_before + maxDelegationSeconds }
}

/** Microseconds since an origin that all processes share. */
const microsNow = () => Math.round((performance.timeOrigin + performance.now()) * 1_000)

function noteLatency(latencies: number[], payload: Buffer): void {
  const at = payload.indexOf('"t=')
  if (at < 0) return
  const sentAt = Number(payload.toString('latin1', at + 3, payload.indexOf(';', at)))
  latencies.push((microsNow() - sentAt) / 1_000)
}
