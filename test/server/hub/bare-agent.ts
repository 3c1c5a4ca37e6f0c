import { randomBytes } from 'node:crypto'
import { type Delegation, helloBytes, randomSeed, type ServerFrame, type Signer, signerFromSeed, uuidv7 } from '@parley/protocol'
import { WebSocket } from 'ws'
import { postSystemMessage } from '../../../server/conversations/index.ts'
import { inTransaction } from '../../../server/db.ts'
import type { TestPerson, TestWorld } from '../../support/world.ts'

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>

/** A socket without a library: what it sends is up to the test, and what comes is kept in order. */
export type Line = {
  readonly socket: WebSocket
  readonly frames: readonly ServerFrame[]
  send(value: unknown): void
  sendText(text: string): void
  /** The next frame of this type that no one has taken yet. */
  next<T extends ServerFrame['type']>(type: T): Promise<FrameOf<T>>
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  close(): void
}

export async function openLine(hubUrl: string, options: { path?: string; origin?: string } = {}): Promise<Line> {
  const url = `${hubUrl.replace('http', 'ws')}${options.path ?? '/v1/ws'}`
  const socket = new WebSocket(url, options.origin === undefined ? {} : { origin: options.origin })
  const frames: ServerFrame[] = []
  const taken = new Set<ServerFrame>()
  const looks = new Set<() => void>()
  socket.on('message', (data) => {
    frames.push(JSON.parse(data.toString()) as ServerFrame)
    for (const look of looks) look()
  })
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => undefined)
  return {
    socket,
    frames,
    closed,
    send: (value) => socket.send(JSON.stringify(value)),
    sendText: (text) => socket.send(text),
    async next(type) {
      const { promise, resolve, reject } = Promise.withResolvers<FrameOf<typeof type>>()
      const look = () => {
        const found = frames.find((frame) => frame.type === type && !taken.has(frame))
        if (!found) return
        taken.add(found)
        resolve(found as FrameOf<typeof type>)
      }
      looks.add(look)
      look()
      void closed.then((code) =>
        reject(new Error(`closed with ${code} before a ${type}; came: ${frames.map((one) => one.type).join(', ')}`)),
      )
      return promise.finally(() => looks.delete(look))
    },
    close: () => socket.close(),
  }
}

export type KeyedAgent = { readonly signer: Signer; readonly token: string; readonly agentId: string; readonly inboxId: string }

/** A listing and a key that isn't bound to it yet. */
export async function listAgent(world: TestWorld, owner: TestPerson, handle: string): Promise<KeyedAgent> {
  const skill = {
    id: `text.${handle}`,
    name: handle,
    description: handle,
    inputs: [],
    outputs: [{ name: 'out', type: 'text.plain' }],
    price: '1',
  }
  const { agent_id, token } = await world.publish(owner, { handle, skills: [skill] as never })
  const { inboxId } = await world.system.db.listing.findUniqueOrThrow({ where: { agentId: agent_id } })
  return { signer: await signerFromSeed(randomSeed()), token, agentId: agent_id, inboxId }
}

/** Signs in over the line with the agent's own key. */
export async function sayHello(
  line: Line,
  agent: KeyedAgent,
  changes: { audience?: string; nonce?: string; signer?: Signer; delegation?: Delegation } = {},
): Promise<void> {
  const { nonce, server } = await line.next('challenge')
  const { did } = agent.signer
  const bytes = helloBytes({ audience: changes.audience ?? server, nonce: changes.nonce ?? nonce, did })
  const signature = await (changes.signer ?? agent.signer).sign(bytes)
  line.send({ type: 'hello', did, signature, token: agent.token, delegation: changes.delegation })
}

export async function connectLine(hubUrl: string, agent: KeyedAgent): Promise<Line & { readonly welcome: FrameOf<'welcome'> }> {
  const line = await openLine(hubUrl)
  await sayHello(line, agent)
  return { ...line, welcome: await line.next('welcome') }
}

/** As `connectLine`, and reads nothing after the first message that is delivered, until it is resumed. */
export async function connectPaused(hubUrl: string, agent: KeyedAgent): Promise<Line> {
  const line = await openLine(hubUrl)
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => {
    if (!line.frames.some((frame) => frame.type === 'deliver')) return
    line.socket.off('message', stop)
    line.socket.pause()
    resolve()
  }
  line.socket.on('message', stop)
  await sayHello(line, agent)
  await promise
  return line
}

/** The server writes `count` notes into an agent's inbox, numbered on from `from`. */
export async function fillInbox(
  world: TestWorld,
  inboxId: string,
  count: number,
  options: { from?: number; text?: string } = {},
): Promise<void> {
  const { from = 1, text } = options
  for (let number = from; number < from + count; number++)
    await inTransaction(world.system, (tx) =>
      postSystemMessage(tx, { roomId: inboxId, kind: 'note', data: { number }, ...(text ? { text } : {}) }),
    )
}

export function delivered(line: Pick<Line, 'frames'>, roomId: string): number[] {
  return line.frames.flatMap((frame) =>
    frame.type === 'deliver' && frame.envelope.room_id === roomId && frame.envelope.seq !== undefined ? [frame.envelope.seq] : [],
  )
}

export function newEnvelopeId(): string {
  return uuidv7(Date.now(), randomBytes(10))
}

export function upTo(last: number, from = 1): number[] {
  return Array.from({ length: last - from + 1 }, (_, index) => from + index)
}
