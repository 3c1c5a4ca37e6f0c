/** A hub in a test's hands: real sockets, rooms kept in memory, and every frame of the agent on record. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  type AgentFrame,
  base64urlEncode,
  type Envelope,
  type EnvelopeDraft,
  helloBytes,
  type Json,
  prefixedId,
  randomSeed,
  type Signer,
  signEnvelope,
  signerFromSeed,
  uuidv7,
  verifyBytes,
} from '@parley/protocol'
import { type WebSocket, WebSocketServer } from 'ws'

type FrameOf<T extends AgentFrame['type']> = Extract<AgentFrame, { type: T }>
export type Answer = { result: Json } | { problem: { code: string; retry?: 'never' | 'later' | 'after_change' } } | 'silence'

export const id = (prefix: 'agt' | 'gol' | 'rom' | 'inb' | 'tsk') => prefixedId(prefix, uuid())
export const uuid = () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))

export const problem = (code: string, retry: 'never' | 'later' | 'after_change' = 'never') => ({
  type: `/problems/${code}`,
  title: code,
  status: 400,
  detail: `The hub says ${code}.`,
  code,
  retry,
})

export async function createStubHub() {
  const signer = await signerFromSeed(randomSeed())
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const inbox = id('inb')
  const rooms = new Map<string, { messages: Envelope[]; acked: number }>([[inbox, { messages: [], acked: 0 }]])
  const frames: AgentFrame[] = []
  const waits = new Set<() => void>()
  const hub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signer,
    inbox,
    agent_id: id('agt'),
    rooms,
    frames,
    connections: 0,
    /** How a command is answered; the default knows none. */
    answer: (_command: { type: string; [key: string]: unknown }): Answer | Promise<Answer> => ({ result: {} }),
    answersPings: true,
    /** Refuses the next handshakes with these. */
    refusals: [] as ReturnType<typeof problem>[],
    /** Whether a message goes out on the first try. */
    passes: (_envelope: Envelope) => true,
    socket: undefined as WebSocket | undefined,
    of<T extends AgentFrame['type']>(type: T): FrameOf<T>[] {
      return frames.filter((frame): frame is FrameOf<T> => frame.type === type)
    },
    commands: (type?: string) => hub.of('command').flatMap(({ command }) => (!type || command.type === type ? [command] : [])),
    write(frame: object) {
      hub.socket?.send(JSON.stringify(frame))
    },
    /** Puts a message into a room and delivers it. */
    async postMessage(
      room_id: string,
      parts: Envelope['parts'],
      more: Partial<EnvelopeDraft> = {},
      by: Signer = signer,
    ): Promise<Envelope> {
      const draft = { id: uuid(), room_id, sender_id: by.did, state: 'discussion', type: 'discussion', parts, ...more }
      return hub.put(await signEnvelope(by, draft))
    },
    put(envelope: Envelope): Envelope {
      const room = rooms.get(envelope.room_id) ?? { messages: [], acked: 0 }
      if (!rooms.has(envelope.room_id)) {
        rooms.set(envelope.room_id, room)
        hub.write({ type: 'joined', room_id: envelope.room_id })
      }
      const delivered = { ...envelope, seq: room.messages.length + 1, received_at: new Date().toISOString() }
      room.messages.push(delivered)
      if (hub.passes(delivered)) hub.write({ type: 'deliver', envelope: delivered })
      return delivered
    },
    /** Resolves when the condition holds; looks again at every frame of the agent. */
    until<T>(find: () => T | undefined | false): Promise<T> {
      return new Promise((resolve) => {
        const look = () => {
          const found = find()
          if (!found) return
          waits.delete(look)
          resolve(found)
        }
        waits.add(look)
        look()
      })
    },
    look() {
      for (const wait of [...waits]) wait()
    },
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }

  function deliver(socket: WebSocket, room_id: string, after: number): void {
    for (const envelope of rooms.get(room_id)?.messages.slice(after) ?? []) socket.send(JSON.stringify({ type: 'deliver', envelope }))
  }

  async function hello(socket: WebSocket, nonce: string, frame: FrameOf<'hello'>): Promise<void> {
    const refusal = hub.refusals.shift()
    const genuine = await verifyBytes(frame.did, helloBytes({ audience: signer.did, nonce, did: frame.did }), frame.signature)
    if (refusal || !genuine)
      return socket.send(JSON.stringify({ type: 'problem', id: null, problem: refusal ?? problem('auth.signature_invalid') }))
    const groups = [...rooms].map(([room_id, { messages, acked }]) => ({ room_id, head: messages.length, acked }))
    const { agent_id } = hub
    socket.send(JSON.stringify({ type: 'welcome', agent_id, did: frame.did, handle: 'tester', inbox, server: signer.did, rooms: groups }))
    for (const { room_id, acked } of groups) deliver(socket, room_id, acked)
  }

  server.on('connection', (socket) => {
    hub.connections++
    hub.socket = socket
    const nonce = base64urlEncode(crypto.getRandomValues(new Uint8Array(16)))
    socket.send(JSON.stringify({ type: 'challenge', nonce, server: signer.did }))
    socket.on('message', async (data) => {
      const frame = JSON.parse(String(data)) as AgentFrame
      frames.push(frame)
      if (frame.type === 'hello') await hello(socket, nonce, frame)
      if (frame.type === 'ping' && hub.answersPings) socket.send('{"type":"pong"}')
      if (frame.type === 'subscribe') deliver(socket, frame.room_id, frame.after)
      if (frame.type === 'ack') {
        const room = rooms.get(frame.room_id)
        if (room) room.acked = Math.max(room.acked, frame.seq)
      }
      if (frame.type === 'command') {
        const answer = await hub.answer(frame.command)
        if (answer !== 'silence') {
          const body =
            'result' in answer
              ? { type: 'result', result: answer.result }
              : { type: 'problem', problem: problem(answer.problem.code, answer.problem.retry) }
          socket.send(JSON.stringify({ ...body, id: frame.id }))
        }
      }
      hub.look()
    })
    socket.on('close', () => hub.look())
  })
  return hub
}

export type StubHub = Awaited<ReturnType<typeof createStubHub>>
