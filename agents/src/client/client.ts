/** A session: one agent with one key, what it is told and what it asks for, over connections that come and go. */
import {
  type Charter,
  type ConversationState,
  type DeliveredEnvelope,
  type Envelope,
  readConversationState,
  type Signer,
  sha256,
  signEnvelope,
} from '@parley/protocol'
import { base64Decode, refOf } from '../artifact.ts'
import { createRecent } from '../bounded-map.ts'
import type { Conversation } from '../conversation/reduce.ts'
import { createRooms } from '../delivery/ordered-delivery.ts'
import { createHistory } from '../delivery/replay.ts'
import { checkDelivered } from '../delivery/verify-delivery.ts'
import { artifactDiffers, ProblemError, roomUnknown, sessionClosed } from '../errors.ts'
import { createVerbs, type InputOf, type Results, type Send, type Verbs } from '../messages/commands.ts'
import { type Call, callOf, messageOf } from '../messages/inbox-messages.ts'
import { draftOf, isSpoken } from '../messages/message-builder.ts'
import { createCalls } from '../transport/pending-commands.ts'
import { type Backoff, defaultBackoff, doorUrl } from '../transport/reconnecting-socket.ts'
import { type Delivered, openDoor, type Welcome } from '../transport/transport.ts'
import { createListeners, type Listener } from '../typed-emitter.ts'
import { type Payee, signCharter, signSubmission } from './charter-signer.ts'
import type { SessionEvents } from './client-events.ts'
import { createTraces } from './trace-context.ts'

export type ConnectOptions = {
  /** The hub's address, `http(s)` or `ws(s)`; or those of several hubs of one market, any of which will do. */
  readonly url: string | readonly string[]
  readonly signer: Signer
  /** Signs for the escrow with the key of the payout address: charters, without which nobody is hired there, and submissions. */
  readonly payee?: Payee
  /** Binds the key to its listing, on the first connection. */
  readonly token?: string
  /** The server's DID, where it is known beforehand. */
  readonly server?: string
  readonly on?: { readonly [K in keyof SessionEvents]?: Listener<SessionEvents[K]> }
  readonly signal?: AbortSignal
  readonly backoff?: Partial<Backoff>
  /** `false`: frames go as JSON text, to be read along the way, also where the server offers to pack them. */
  readonly packed?: false
}

export type Session = Verbs & {
  readonly did: string
  readonly agent_id: string
  readonly handle: string
  readonly inbox: string
  readonly server: string
  /** Rooms this agent is a member of, as far as the server has said. */
  readonly groups: readonly string[]
  on<K extends keyof SessionEvents>(name: K, listener: Listener<SessionEvents[K]>): () => void
  /** Any command; the message it leaves in its room is written and signed here. Resolves with the server's result. */
  send: Send
  /** The conversation of a room up to the message at hand. Kept up to date from then on. */
  conversation(group_id: string): Promise<Conversation>
  /** Reads the room again from after `after` up to the message at hand. */
  replay(group_id: string, after: number, each: (envelope: Envelope) => void): Promise<void>
  /** @throws {ProblemError} `session.artifact_differs` where the bytes are not those that the hash names. */
  getArtifact(input: { group_id: string; sha256: string }): Promise<{ artifact: Results['artifact.get']['artifact']; bytes: Uint8Array }>
  close(): void
}

/** Resolves once the server has welcomed the agent. Keeps trying where it is not there; rejects where it says no. */
export function connect(options: ConnectOptions): Promise<Session> {
  const { signer } = options
  const backoff = { ...defaultBackoff, ...options.backoff }
  const listeners = createListeners<SessionEvents>((error) => {
    // What a listener was still asking for when the session ended is no fault of the listener.
    if (ended && error === ended) return
    if (listeners.count('error') === 0) console.error(error)
    else void listeners.emit('error', error)
  })
  for (const [name, listener] of Object.entries(options.on ?? {})) {
    // `on` is keyed by event name, so each listener takes its own event's value.
    if (listener) listeners.on(name as keyof SessionEvents, listener as Listener<SessionEvents[keyof SessionEvents]>)
  }

  const first = Promise.withResolvers<Welcome>()
  // Listeners added right after `await connect()` see every message: the first one waits for the next turn.
  const started = first.promise.then(() => new Promise<void>((resolve) => setTimeout(resolve, 0)))
  started.catch(() => {})
  let welcome: Welcome | undefined
  let ended: ProblemError | undefined
  const groups = new Set<string>()
  const roomOf = createRecent<string>(20_000)
  const stateOf = createRecent<ConversationState>(10_000)
  const invitedTo = createRecent<Charter>(1_000)
  const traces = createTraces()

  let asking = 0
  const calls = createCalls((text) => door.sendText(text), backoff)
  const history = createHistory((group_id, after) => void door.send({ type: 'subscribe', group_id, after }))
  const rooms = createRooms({
    begin,
    subscribe: (group_id, after) => void door.send({ type: 'subscribe', group_id, after }),
    ack: (group_id, seq) => door.send({ type: 'ack', group_id, seq }),
  })
  /** Replayed messages one after the other, whatever their checks take. */
  let replaying = Promise.resolve()

  const door = openDoor(
    {
      urls: [options.url].flat().map(doorUrl),
      signer,
      token: options.token,
      server: options.server,
      backoff,
      packed: options.packed !== false,
    },
    {
      welcome(frame) {
        welcome = frame
        for (const { group_id, acked } of frame.groups) {
          groups.add(group_id)
          rooms.enter(group_id, acked)
        }
        rooms.flush()
        history.resume()
        calls.repeat()
        first.resolve(frame)
        void listeners.emit('online', frame)
      },
      deliver(message) {
        const place = rooms.deliver(message)
        if (place !== 'seen' || !history.wants(message.group_id, message.seq)) return
        replaying = replaying.then(async () => history.again(message, await read(message)))
      },
      joined(group_id) {
        // Where its delivery begins, its first message shows.
        groups.add(group_id)
        void listeners.emit('joined', { group_id })
      },
      result: (id, result) => calls.answered(id, result),
      problem(id, problem) {
        if (id === null || !calls.refused(id, problem)) void listeners.emit('problem', problem)
      },
      down: () => void listeners.emit('offline', { unanswered: calls.waiting }),
      end,
    },
  )

  function end(error: ProblemError): void {
    if (ended) return
    ended = error
    rooms.stop()
    calls.abandon(error)
    history.abandon(error)
    door.close()
    first.reject(error)
    if (error.code === 'session.fenced') void listeners.emit('fenced', error.problem)
    void listeners.emit('end', error)
  }

  const home = (): Welcome => {
    if (!welcome) throw sessionClosed()
    return welcome
  }

  /** The message, where nothing is wrong with it. */
  async function read(message: Delivered): Promise<DeliveredEnvelope | undefined> {
    const checked = await checkDelivered(message, home().server)
    if (!(checked instanceof ProblemError)) return checked
    void listeners.emit('problem', checked.problem)
    return undefined
  }

  async function begin(message: Delivered): Promise<{ finished: Promise<void> }> {
    await started.catch(() => {})
    const envelope = await read(message)
    if (!envelope || ended) return { finished: ended ? new Promise(() => {}) : Promise.resolve() }
    history.live(envelope)
    traces.hear(envelope)
    stateOf.set(envelope.group_id, readConversationState(envelope.state))
    const reader = { did: home().did, server: home().server, inbox: home().inbox }
    const said = messageOf(envelope, reader)
    const call = await callOf(said, reader)
    if (call) learn(call)
    await listeners.emit('message', said)
    const work = call ? emitCall(call) : Promise.resolve()
    if (call?.name !== 'task' && call?.name !== 'offer' && call?.name !== 'call') await work
    return { finished: work }
  }

  /** `Call` pairs each name with its event's value, which the compiler can't carry through the union. */
  const emitCall = (call: Call): Promise<void> => listeners.emit(call.name, call.value as SessionEvents[typeof call.name])

  function learn({ name, value }: Call): void {
    if (name === 'offer') roomOf.set(value.offer.goal_id, value.offer.group_id)
    if (name === 'invite') roomOf.set(value.goal_id, value.group_id)
    if (name === 'invite') invitedTo.set(value.charter_hash, value.charter)
    if (name === 'task') roomOf.set(value.task_id, value.group_id)
  }

  const send: Send = async (command, spoken = {}) => {
    if (ended) throw ended
    let asked: object = command
    if (isSpoken(command)) {
      const subject = 'task_id' in command ? command.task_id : 'goal_id' in command ? command.goal_id : command.group_id
      const group_id =
        spoken.group_id ??
        ('group_id' in command ? command.group_id : 'charter' in command ? command.charter.group_id : undefined) ??
        roomOf.get(subject) ??
        ('goal_id' in command ? roomOf.get(command.goal_id) : undefined)
      if (!group_id) throw roomUnknown(subject)
      roomOf.set(subject, group_id)
      const charter = async () => (await conversation(group_id)).charter
      const { did } = home()
      const sign = async (hash: string, given?: Charter) => {
        const signed = given ?? invitedTo.get(hash)
        return signed && signCharter(options.payee, did, signed, hash)
      }
      const scene = { did, group_id, state: stateOf.get(group_id) ?? ('discussion' as const), charter, sign, trace: traces.of(group_id) }
      const envelope = await signEnvelope(signer, await draftOf(command, scene, spoken.saying))
      // Talk is all in its envelope.
      asked = command.type === 'message.post' ? { type: command.type, group_id, envelope } : { ...command, envelope }
      // The compiler can't narrow a generic by its type's name.
      if (command.type === 'task.complete') asked = { ...asked, ...(await submissionOf(command as never, group_id)) }
    }
    const result = await calls.ask(++asking, asked, traces.of('goal_id' in command ? command.goal_id : undefined))
    // What the server answers to its own protocol's commands; a server that breaks it is not one to be parsed around.
    return result as Results[typeof command.type]
  }

  /** The payee's word that a step was handed in, where it can give one. */
  async function submissionOf(command: InputOf<'task.complete'>, group_id: string) {
    if (!options.payee || command.submission_signature) return {}
    const { charter, tasks } = await conversation(group_id)
    const step = tasks.get(command.task_id)?.step
    if (step === undefined) return {}
    const files = (await Promise.all(command.artifacts.map(refOf))).map(({ sha256: hash }) => hash)
    const submission_signature = await signSubmission(options.payee, charter, { step, files })
    return submission_signature ? { submission_signature } : {}
  }

  function conversation(group_id: string): Promise<Conversation> {
    return history.conversation(group_id, home().server, rooms.begun(group_id))
  }

  options.signal?.addEventListener('abort', () => end(sessionClosed()), { once: true })
  return first.promise.then(() => ({
    ...createVerbs(send),
    get did() {
      return home().did
    },
    get agent_id() {
      return home().agent_id
    },
    get handle() {
      return home().handle
    },
    get inbox() {
      return home().inbox
    },
    get server() {
      return home().server
    },
    get groups() {
      return [...groups]
    },
    on: listeners.on,
    send,
    conversation,
    replay: (group_id, after, each) => history.replay(group_id, after, rooms.begun(group_id), each),
    async getArtifact(input) {
      const { artifact, content } = await send({ type: 'artifact.get', ...input })
      const bytes = base64Decode(content)
      const actual = await sha256(bytes)
      if (actual !== input.sha256) throw artifactDiffers(input.sha256, actual)
      return { artifact, bytes }
    },
    close: () => end(sessionClosed()),
  }))
}
