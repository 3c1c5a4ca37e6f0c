/**
 * The client for small devices: at most 64 kB as a bundle, without the schemas of the protocol, WebCrypto, WebAssembly or built-ins of Node.
 * It publishes its listing once, accepts teams that pay its prices, does one task at a time, and resumes after a lost connection.
 * @see docs/guides/small-device.md
 */
import type { Json, Signer } from '@parley/protocol'
import { requireHandler } from '../agent/skill.ts'
import { sendUnlessSettled } from '../agent/skill-result.ts'
import type { ProblemError } from '../errors.ts'
import type { Payout } from '../messages/message-events.ts'
import type { Backoff } from '../transport/reconnecting-socket.ts'
import type { DeliveredMessage } from '../transport/transport.ts'
import { createTypedEmitter, type Listener, type TypedEmitter } from '../typed-emitter.ts'
import { type DeviceStorage, type DeviceStore, openDeviceStore } from './device-store.ts'
import { ed25519Signer } from './ed25519-signer.ts'
import { judgeSmallCharter } from './judge-small-charter.ts'
import { type HubAddress, readHubAddress, registerSmallAgent, type SmallListing } from './register-small-agent.ts'
import { fieldText, messageFault, readSmallMessage, type SmallMessage } from './small-message.ts'
import { openSmallSession, type SmallSession } from './small-session.ts'
import { createSmallWorkshop, type SmallHandlers, type SmallWork } from './small-work.ts'
import { callWork, taskWork } from './task-work-and-call-work.ts'

export { ProblemError } from '../errors.ts'
export type { DeviceStorage } from './device-store.ts'
export { ed25519Signer } from './ed25519-signer.ts'
export type { SmallListing } from './register-small-agent.ts'
export type { SmallHandler, SmallHandlers, SmallTask } from './small-work.ts'

/** What a listener receives, by the name of the event. */
export type SmallAgentEvents = {
  payout: Payout
  /** A refusal, or a message that was skipped. The agent continues. */
  problem: ProblemError
  online: { readonly handle: string }
  /** The connection was lost. The agent reconnects. */
  offline: undefined
  /** The agent has ended: it was closed, replaced by a newer connection of its key, or refused. */
  end: ProblemError
}

/** The market, the key, the offer and the work of a device. */
export type SmallAgentOptions = {
  /** Address of the hub: `http://host:4000`. */
  readonly url: string
  /** The listing. Its prices and its payout address also decide which teams the agent accepts. */
  readonly listing: SmallListing
  /** A handler for each skill of the listing. */
  readonly skills: SmallHandlers
  /** Default: `localStorage`. */
  readonly storage?: DeviceStorage
  /** The agent's key as 64 hex digits. Default: the stored one, or a new one. */
  readonly seed?: string
  /** The key of a secure element, instead of `seed`. */
  readonly signer?: Signer
  /** Token of a listing that was published before. Without it, the first start publishes the listing. */
  readonly token?: string
  /** API token of the owner's wallet with the scope `listings`. Required for publishing, except on a local chain. */
  readonly ownerToken?: string
  /** DID of the server. Default: the one of the first connection, which is stored. */
  readonly server?: string
  /** The largest file that a task may have as input, in bytes; 1,048,576 by default. */
  readonly maxFileBytes?: number
  /** Interval at which leases are renewed, milliseconds; 20,000 by default. */
  readonly heartbeatMs?: number
  readonly backoff?: Partial<Backoff>
  /** Listeners from the first event on. */
  readonly on?: { readonly [K in keyof SmallAgentEvents]?: Listener<SmallAgentEvents[K]> }
}

/** An agent that is online, or connects again after it was. */
export type SmallAgent = {
  readonly did: string
  readonly agent_id: string
  readonly handle: string
  /** Adds a listener. Returns the function that removes it. */
  on<K extends keyof SmallAgentEvents>(name: K, listener: Listener<SmallAgentEvents[K]>): () => void
  /** Sends any command of the protocol. @throws {ProblemError} the server's refusal */
  send(command: { readonly type: string; readonly [field: string]: unknown }): Promise<Json>
  close(): void
}

/**
 * Publishes the listing unless this was done before, connects, and serves the skills until `close`.
 * @throws {ProblemError} the server's refusal, `session.seed_invalid`, `session.address_invalid`, `session.storage_missing`,
 * `session.hub_unreachable`
 * @throws {RangeError} if a skill of the listing has no handler
 */
export async function smallAgent(options: SmallAgentOptions): Promise<SmallAgent> {
  const { listing, skills } = options
  const address = readHubAddress(options.url)
  for (const { id } of listing.skills) requireHandler(skills, id)
  const store = openDeviceStore(options.storage, listing.handle)
  const signer = options.signer ?? ed25519Signer(options.seed ?? store.seed())
  const token = await findToken(options, address, store)
  const emitter = createTypedEmitter<SmallAgentEvents>(reportListenerError)
  for (const [name, listener] of Object.entries(options.on ?? {})) emitter.on(name as 'problem', listener as Listener<ProblemError>)
  const session: SmallSession = openSmallSession(
    { socket: address.socket, signer, token, server: options.server ?? store.read('server'), backoff: options.backoff },
    {
      online({ agent_id, server, handle, inbox }) {
        // The token has bound the key, and is not valid any more.
        for (const [item, value] of [
          ['agent', agent_id],
          ['server', server],
          ['token', undefined],
        ] as const)
          store.write(item, value)
        state.inbox = inbox
        state.server = server
        void emitter.emit('online', { handle })
      },
      offline: () => void emitter.emit('offline', undefined),
      message: (message) => receive(state, message),
      problem: (error) => void emitter.emit('problem', error),
      end: (error) => void emitter.emit('end', error),
    },
  )
  const { heartbeatMs: leaseMs = 20_000, maxFileBytes = 1_048_576 } = options
  const work = createSmallWorkshop({ handlers: skills, leaseMs, maxFileBytes, isEnded: session.isEnded })
  const state: State = { session, store, listing, emitter, work, inbox: '', server: '' }
  const { agent_id, handle } = await session.welcomed
  return { did: signer.did, agent_id, handle, on: emitter.on, send: session.send, close: session.close }
}

/** What binds the key on the next connection; undefined if it is bound. A new token is stored first, so that a crash does not lose it. */
async function findToken(options: SmallAgentOptions, address: HubAddress, store: DeviceStore): Promise<string | undefined> {
  if (options.token !== undefined) return options.token
  const known = store.read('token')
  if (known !== undefined || store.read('agent') !== undefined) return known
  const { token } = await registerSmallAgent(address, options.listing, options.ownerToken)
  store.write('token', token)
  return token
}

function reportListenerError(error: unknown): void {
  if (typeof console !== 'undefined') console.error(error)
}

type State = {
  readonly session: SmallSession
  readonly store: DeviceStore
  readonly listing: SmallListing
  readonly emitter: TypedEmitter<SmallAgentEvents>
  readonly work: (work: SmallWork) => Promise<void>
  inbox: string
  server: string
}

const inboxKinds = ['team.invite', 'call.requested', 'payout', 'goal.closed']
const assignmentActs = ['sync_task_assignment', 'async_task_assignment']

/** Verifies only messages on which the agent acts: a signature takes a small processor some milliseconds. */
async function receive(state: State, message: DeliveredMessage): Promise<{ finished: Promise<void> }> {
  const { session, emitter, inbox, server } = state
  const isInbox = message.room_id === inbox
  const read = readSmallMessage(message, isInbox ? inboxKinds : ['task'])
  const isOwn = read && (isInbox ? read.sender_id === server : assignmentActs.includes(read.type) && read.to.includes(session.did))
  if (!isOwn) return { finished: Promise.resolve() }
  const fault = messageFault(message, server)
  if (fault) {
    void emitter.emit('problem', fault)
    return { finished: Promise.resolve() }
  }
  const finished = act(state, read).catch((error: unknown) => {
    // After the end nothing is acknowledged: the server delivers the message again to the next session.
    if (session.isEnded()) return new Promise<void>(() => {})
    void emitter.emit('problem', error as ProblemError)
    return undefined
  })
  // A task takes long; later messages of its room do not wait for it.
  if (read.kind !== 'task' && read.kind !== 'call.requested') await finished
  return { finished }
}

async function act(state: State, message: SmallMessage): Promise<void> {
  const { session, store, emitter } = state
  const { kind, data, room_id } = message
  if (kind === 'team.invite') await answerInvitation(state, data)
  if (kind === 'task') await state.work(taskWork(session, store.team(room_id), message))
  if (kind === 'call.requested') await state.work(callWork(session, data))
  if (kind === 'goal.closed') store.dropTeams(fieldText(data.goal_id))
  if (kind === 'payout') await emitter.emit('payout', data as Payout)
}

async function answerInvitation({ session, store, listing }: State, data: SmallMessage['data']): Promise<void> {
  const judged = judgeSmallCharter(data, session.did, listing)
  if (!judged) return
  const { goal_id, room_id, charter_hash, terms, verdict } = judged
  if (verdict === true) {
    // Stored before the answer: after a crash in between, the agent must still know who assigns its tasks.
    store.addTeam(room_id, terms)
    const parts = [{ data: { kind: 'charter.accept', charter_hash } }]
    const envelope = await session.sign(room_id, { state: 'discussion', type: 'accept', parts })
    await sendUnlessSettled(() => session.send({ type: 'team.accept', goal_id, charter_hash, envelope }))
    return
  }
  const envelope = await session.sign(room_id, { state: 'discussion', type: 'decline', parts: [{ text: verdict }] })
  await sendUnlessSettled(() => session.send({ type: 'team.decline', goal_id, reason: verdict, envelope }))
}
