/** A session: one agent with one key, its events and its commands, over connections that are lost and replaced. */
import {
  type Charter,
  type ConversationState,
  type DeliveredEnvelope,
  type Envelope,
  type MemberSignature,
  readConversationState,
  type Signer,
  sha256,
  signEnvelope,
} from '@parley/protocol'
import { toArtifactRef } from '../artifact.ts'
import { base64Decode } from '../base64.ts'
import { type BoundedMap, createBoundedMap } from '../bounded-map.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { createDeferred, type Deferred } from '../deferred.ts'
import { createOrderedDelivery, type OrderedDelivery } from '../delivery/ordered-delivery.ts'
import { createReplayReader, type ReplayReader } from '../delivery/replay-reader.ts'
import { verifyDelivery } from '../delivery/verify-delivery.ts'
import { artifactDiffers, ProblemError, roomUnknown, sessionClosed } from '../errors.ts'
import { buildMessage, isRoomCommand, type MessageContext, type RoomCommand } from '../messages/build-message.ts'
import {
  type CommandInput,
  type CommandMethods,
  type CommandResults,
  createCommandMethods,
  type SendCommand,
  type SendOptions,
} from '../messages/commands.ts'
import { type MessageEvent, parseEvent, toRoomMessage } from '../messages/message-events.ts'
import { createPendingCommands, type PendingCommands } from '../transport/pending-commands.ts'
import { readServerFrame } from '../transport/read-server-frame.ts'
import { type Backoff, defaultBackoff, hubSocketUrl } from '../transport/reconnecting-socket.ts'
import { type DeliveredMessage, openTransport, type Transport, type TransportEvents, type Welcome } from '../transport/transport.ts'
import { createTypedEmitter, type Listener, type TypedEmitter } from '../typed-emitter.ts'
import type { SessionEvents } from './session-events.ts'
import { type PayoutSigner, signCharter, signSubmission } from './sign-charter-or-submission.ts'
import { createTraceContext, type TraceContext } from './trace-context.ts'

/** The market, the keys and the listeners of a new session. */
export type ConnectOptions = {
  /** Address of the hub, `http(s)` or `ws(s)`. Several addresses name hubs of the same market; the session uses any of them. */
  readonly url: string | readonly string[]
  /** The agent's key. */
  readonly signer: Signer
  /** The key of the payout address. It signs charters, which the escrow requires of every member, and submissions. */
  readonly payoutSigner?: PayoutSigner
  /** Binds the key to its listing, on the first connection. */
  readonly token?: string
  /** DID of the server, if it is known. The session refuses any other server. */
  readonly server?: string
  /** Listeners from the first event on. */
  readonly on?: { readonly [K in keyof SessionEvents]?: Listener<SessionEvents[K]> }
  /** Ends the session when aborted. */
  readonly signal?: AbortSignal
  readonly backoff?: Partial<Backoff>
}

/** The connection of one agent to its market. It reconnects, repeats unanswered commands and resumes every room. */
export type AgentSession = CommandMethods & {
  /** DID of the agent. */
  readonly did: string
  readonly agent_id: string
  readonly handle: string
  /** Room id of the agent's inbox. */
  readonly inbox: string
  /** DID of the server. */
  readonly server: string
  /** Ids of the rooms that this agent is a member of. */
  readonly rooms: readonly string[]
  /** Adds a listener. Returns the function that removes it. */
  on<K extends keyof SessionEvents>(name: K, listener: Listener<SessionEvents[K]>): () => void
  /** Sends any command. For a command with a message in a room, the session builds and signs the message. */
  send: SendCommand
  /** The state of a room up to the message being handled. The session keeps it up to date. @throws {ProblemError} `session.replay_stalled` */
  conversation(room_id: string): Promise<Conversation>
  /** Reads the room again, from after message `after` up to the message being handled. @throws {ProblemError} `session.replay_stalled` */
  replay(room_id: string, after: number, each: (envelope: Envelope) => void): Promise<void>
  /** Downloads a file of a room. @throws {ProblemError} `session.artifact_differs` if the bytes do not have this hash */
  getArtifact(input: {
    room_id: string
    sha256: string
  }): Promise<{ artifact: CommandResults['artifact.get']['artifact']; bytes: Uint8Array }>
  /** Ends the session. Pending commands reject with `session.closed`. */
  close(): void
}

type State = {
  readonly options: ConnectOptions
  readonly emitter: TypedEmitter<SessionEvents>
  readonly firstWelcome: Deferred<Welcome>
  /** Resolves one event-loop turn after the first welcome, so that listeners added after `await connect()` receive every message. */
  readonly started: Promise<void>
  readonly rooms: Set<string>
  /** Room id by goal id and by task id. */
  readonly roomIds: BoundedMap<string>
  /** State of the last message, by room id. */
  readonly roomStates: BoundedMap<ConversationState>
  /** Charters of invitations, by hash. */
  readonly invitedCharters: BoundedMap<Charter>
  readonly traces: TraceContext
  readonly commands: PendingCommands
  readonly replays: ReplayReader
  readonly delivery: OrderedDelivery
  readonly transport: Transport
  welcome: Welcome | undefined
  ended: ProblemError | undefined
  /** Number of the last command. */
  commandId: number
  /** Replayed messages are verified in sequence, which keeps their order. */
  replayQueue: Promise<void>
}

/** Connects an agent. Resolves after the first welcome; retries until the server is reachable. @throws {ProblemError} the server's refusal */
export function connect(options: ConnectOptions): Promise<AgentSession> {
  const state = createState(options)
  options.signal?.addEventListener('abort', () => endSession(state, sessionClosed()), { once: true })
  return state.firstWelcome.promise.then(() => toSession(state))
}

function createState(options: ConnectOptions): State {
  const backoff = { ...defaultBackoff, ...options.backoff }
  const emitter = createTypedEmitter<SessionEvents>((error) => reportListenerError(state, error))
  for (const [name, listener] of Object.entries(options.on ?? {})) {
    // `options.on` is keyed by event name, so each listener accepts the value of its event.
    if (listener) emitter.on(name as keyof SessionEvents, listener as Listener<SessionEvents[keyof SessionEvents]>)
  }
  const firstWelcome = createDeferred<Welcome>()
  const started = firstWelcome.promise.then(() => new Promise<void>((resolve) => setTimeout(resolve, 0)))
  started.catch(() => {})
  const subscribe = (room_id: string, after: number) => void state.transport.send({ type: 'subscribe', room_id, after })
  const { signer, token, server } = options
  const urls = [options.url].flat().map(hubSocketUrl)
  const transportOptions = { urls, signer, token, server, backoff, readFrame: readServerFrame }
  const state: State = {
    options,
    emitter,
    firstWelcome,
    started,
    rooms: new Set(),
    roomIds: createBoundedMap(20_000),
    roomStates: createBoundedMap(10_000),
    invitedCharters: createBoundedMap(1_000),
    traces: createTraceContext(),
    commands: createPendingCommands((text) => state.transport.sendText(text), backoff),
    replays: createReplayReader(subscribe),
    delivery: createOrderedDelivery({
      handle: (message) => handleMessage(state, message),
      subscribe,
      ack: (room_id, seq) => state.transport.send({ type: 'ack', room_id, seq }),
    }),
    transport: openTransport(
      transportOptions,
      transportEvents(() => state),
    ),
    welcome: undefined,
    ended: undefined,
    commandId: 0,
    replayQueue: Promise.resolve(),
  }
  return state
}

function reportListenerError({ emitter, ended }: State, error: unknown): void {
  // A command that the end of the session rejected is not the listener's error.
  if (ended && error === ended) return
  if (emitter.listenerCount('error') === 0) console.error(error)
  else void emitter.emit('error', error)
}

/** `current`: the transport needs its events before the state that they change exists. */
function transportEvents(current: () => State): TransportEvents {
  return {
    welcome: (frame) => startConnection(current(), frame),
    deliver(message) {
      const state = current()
      const place = state.delivery.accept(message)
      if (place !== 'seen' || !state.replays.covers(message.room_id, message.seq)) return
      state.replayQueue = state.replayQueue.then(async () => state.replays.acceptReplayed(message, await verify(state, message)))
    },
    joined(room_id) {
      current().rooms.add(room_id)
      void current().emitter.emit('joined', { room_id })
    },
    result: (id, result) => current().commands.resolve(id, result),
    problem(id, problem) {
      if (id === null || !current().commands.reject(id, problem)) void current().emitter.emit('problem', problem)
    },
    disconnected: () => void current().emitter.emit('offline', { unanswered: current().commands.size }),
    end: (error) => endSession(current(), error),
  }
}

function startConnection(state: State, frame: Welcome): void {
  state.welcome = frame
  for (const { room_id, acked } of frame.rooms) {
    state.rooms.add(room_id)
    state.delivery.addRoom(room_id, acked)
  }
  state.delivery.flushAcks()
  state.replays.resume()
  state.commands.resendAll()
  state.firstWelcome.resolve(frame)
  void state.emitter.emit('online', frame)
}

function endSession(state: State, error: ProblemError): void {
  if (state.ended) return
  state.ended = error
  state.delivery.stop()
  state.commands.rejectAll(error)
  state.replays.rejectAll(error)
  state.transport.close()
  state.firstWelcome.reject(error)
  if (error.code === 'session.fenced') void state.emitter.emit('fenced', error.problem)
  void state.emitter.emit('end', error)
}

function requireWelcome({ welcome }: State): Welcome {
  if (!welcome) throw sessionClosed()
  return welcome
}

/** The message, or undefined if it is skipped. */
async function verify(state: State, message: DeliveredMessage): Promise<DeliveredEnvelope | undefined> {
  const verified = await verifyDelivery(message, requireWelcome(state).server)
  if (!(verified instanceof ProblemError)) return verified
  void state.emitter.emit('problem', verified.problem)
  return undefined
}

async function handleMessage(state: State, message: DeliveredMessage): Promise<{ finished: Promise<void> }> {
  await state.started.catch(() => {})
  const envelope = await verify(state, message)
  // After the end nothing is acked: the server delivers the message again to the next session.
  if (!envelope || state.ended) return { finished: state.ended ? new Promise(() => {}) : Promise.resolve() }
  state.replays.acceptLive(envelope)
  state.traces.record(envelope)
  state.roomStates.set(envelope.room_id, readConversationState(envelope.state))
  const { did, server, inbox } = requireWelcome(state)
  const reader = { did, server, inbox }
  const roomMessage = toRoomMessage(envelope, reader)
  const event = await parseEvent(roomMessage, reader)
  if (event) recordEvent(state, event)
  await state.emitter.emit('message', roomMessage)
  const finished = event ? emitEvent(state, event) : Promise.resolve()
  const isLongRunning = event?.name === 'task' || event?.name === 'offer' || event?.name === 'call'
  if (!isLongRunning) await finished
  return { finished }
}

/** `MessageEvent` pairs each name with the value of its event, which the compiler cannot follow through the union. */
const emitEvent = ({ emitter }: State, event: MessageEvent): Promise<void> =>
  emitter.emit(event.name, event.value as SessionEvents[typeof event.name])

function recordEvent({ roomIds, invitedCharters }: State, { name, value }: MessageEvent): void {
  if (name === 'offer') roomIds.set(value.offer.goal_id, value.offer.room_id)
  if (name === 'invite') roomIds.set(value.goal_id, value.room_id)
  if (name === 'invite') invitedCharters.set(value.charter_hash, value.charter)
  if (name === 'task') roomIds.set(value.task_id, value.room_id)
}

function createSend(state: State): SendCommand {
  return async (command, options = {}) => {
    if (state.ended) throw state.ended
    const body = isRoomCommand(command) ? await withMessage(state, command, options) : command
    const trace = state.traces.traceparentOf('goal_id' in command ? command.goal_id : undefined)
    const result = await state.commands.submit(++state.commandId, body, trace)
    // The protocol defines the result of each command. A server that breaks it is not handled.
    return result as CommandResults[typeof command.type]
  }
}

/** The command with the signed message that it leaves in its room. */
async function withMessage(state: State, command: RoomCommand, options: SendOptions): Promise<object> {
  const room_id = requireRoom(state, command, options.room_id)
  const { did } = requireWelcome(state)
  const context: MessageContext = {
    did,
    room_id,
    state: state.roomStates.get(room_id) ?? 'discussion',
    charter: async () => (await readConversation(state, room_id)).charter,
    signCharter: (hash, charter) => signFor(state, did, hash, charter),
    traceparent: state.traces.traceparentOf(room_id),
  }
  const envelope = await signEnvelope(state.options.signer, await buildMessage(command, context, options.message))
  // A post has no field beside its envelope.
  if (command.type === 'message.post') return { type: command.type, room_id, envelope }
  const submission = command.type === 'task.complete' ? await submissionOf(state, command, room_id) : {}
  return { ...command, envelope, ...submission }
}

function requireRoom({ roomIds }: State, command: RoomCommand, given: string | undefined): string {
  const subject = 'task_id' in command ? command.task_id : 'goal_id' in command ? command.goal_id : command.room_id
  const room_id =
    given ??
    ('room_id' in command ? command.room_id : 'charter' in command ? command.charter.room_id : undefined) ??
    roomIds.get(subject) ??
    ('goal_id' in command ? roomIds.get(command.goal_id) : undefined)
  if (!room_id) throw roomUnknown(subject)
  roomIds.set(subject, room_id)
  return room_id
}

async function signFor(state: State, did: string, hash: string, given?: Charter): Promise<MemberSignature | undefined> {
  const charter = given ?? state.invitedCharters.get(hash)
  return charter && signCharter(state.options.payoutSigner, did, charter, hash)
}

/** The payout key's signature that the step was submitted, if the key can give one. */
async function submissionOf(state: State, command: CommandInput<'task.complete'>, room_id: string) {
  const { payoutSigner } = state.options
  if (!payoutSigner || command.submission_signature) return {}
  const { charter, recorded, tasks } = await readConversation(state, room_id)
  const step = tasks.get(command.task_id)?.step
  if (step === undefined) return {}
  const files = (await Promise.all(command.artifacts.map(toArtifactRef))).map(({ sha256: hash }) => hash)
  const submission_signature = await signSubmission(payoutSigner, charter, { step, files, plan: recorded?.plan ?? undefined })
  return submission_signature ? { submission_signature } : {}
}

function readConversation(state: State, room_id: string): Promise<Conversation> {
  return state.replays.conversation(room_id, requireWelcome(state).server, state.delivery.lastStarted(room_id))
}

function toSession(state: State): AgentSession {
  const send = createSend(state)
  return {
    ...createCommandMethods(send),
    get did() {
      return requireWelcome(state).did
    },
    get agent_id() {
      return requireWelcome(state).agent_id
    },
    get handle() {
      return requireWelcome(state).handle
    },
    get inbox() {
      return requireWelcome(state).inbox
    },
    get server() {
      return requireWelcome(state).server
    },
    get rooms() {
      return [...state.rooms]
    },
    on: state.emitter.on,
    send,
    conversation: (room_id) => readConversation(state, room_id),
    replay: (room_id, after, each) => state.replays.replay({ room_id, after, until: state.delivery.lastStarted(room_id) }, each),
    async getArtifact(input) {
      const { artifact, content } = await send({ type: 'artifact.get', ...input })
      const bytes = base64Decode(content)
      const actual = await sha256(bytes)
      if (actual !== input.sha256) throw artifactDiffers(input.sha256, actual)
      return { artifact, bytes }
    },
    close: () => endSession(state, sessionClosed()),
  }
}
