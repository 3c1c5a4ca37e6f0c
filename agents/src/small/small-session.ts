/** The connection of a small agent: its key, its commands and its rooms, over connections that are lost and replaced. */
import { type Json, type Signer, signedBytes, uuidv7 } from '@parley/protocol'
import { createDeferred } from '../deferred.ts'
import { createOrderedDelivery } from '../delivery/ordered-delivery.ts'
import { ProblemError, sessionClosed } from '../errors.ts'
import { createPendingCommands } from '../transport/pending-commands.ts'
import { type Backoff, defaultBackoff } from '../transport/reconnecting-socket.ts'
import { type DeliveredMessage, openTransport, type Transport, type Welcome } from '../transport/transport.ts'
import { readFrameWithoutSchema } from './read-frame-without-schema.ts'

/** Messages of one room that may wait on the device. The others wait at the server. */
const maxQueue = 16

/** How a small agent connects. `socket`: the WebSocket address. `server`: the DID that the server must have, if it is known. */
export type SmallSessionOptions = {
  readonly socket: string
  readonly signer: Signer
  readonly token: string | undefined
  readonly server: string | undefined
  readonly backoff: Partial<Backoff> | undefined
}

/** What a small session calls. */
export type SmallSessionEvents = {
  /** After each handshake. */
  online(welcome: Welcome): void
  offline(): void
  /** Starts a message, each once and in the order of its room. `finished` resolves when it may be acknowledged. */
  message(message: DeliveredMessage): Promise<{ finished: Promise<void> }>
  problem(error: ProblemError): void
  end(error: ProblemError): void
}

/** What a message says, besides who sends it and where. */
export type SmallMessageContent = {
  readonly state: string
  readonly type: string
  readonly parts: readonly Json[]
  readonly task_id?: string
}

/** A connection that signs and sends commands. */
export type SmallSession = {
  readonly did: string
  /** Resolves with the first handshake. @throws {ProblemError} the server's refusal */
  readonly welcomed: Promise<Welcome>
  readonly isEnded: () => boolean
  /** Resolves with the server's result. After a lost connection the command is sent again, and takes effect once. */
  send(command: { readonly type: string; readonly [field: string]: unknown }): Promise<Json>
  /** A message of this agent, signed by its key. */
  sign(room_id: string, content: SmallMessageContent): Promise<object>
  close(): void
}

/** Connects until `close`, or until the server refuses the agent. */
export function openSmallSession(options: SmallSessionOptions, events: SmallSessionEvents): SmallSession {
  const { socket, signer, token, server } = options
  const backoff = { ...defaultBackoff, ...options.backoff }
  const welcomed = createDeferred<Welcome>()
  let ended: ProblemError | undefined
  let commandId = 0
  const commands = createPendingCommands((text) => transport.sendText(text), backoff)
  const delivery = createOrderedDelivery({
    maxQueue,
    handle: (message) => events.message(message),
    subscribe: (room_id, after) => void transport.send({ type: 'subscribe', room_id, after }),
    ack: (room_id, seq) => transport.send({ type: 'ack', room_id, seq }),
  })
  const end = (error: ProblemError) => {
    if (ended) return
    ended = error
    delivery.stop()
    commands.rejectAll(error)
    transport.close()
    welcomed.reject(error)
    events.end(error)
  }
  const transport: Transport = openTransport(
    { urls: [socket], signer, token, server, backoff, readFrame: readFrameWithoutSchema },
    {
      welcome(frame) {
        for (const { room_id, acked } of frame.rooms) delivery.addRoom(room_id, acked)
        delivery.flushAcks()
        commands.resendAll()
        events.online(frame)
        welcomed.resolve(frame)
      },
      deliver: (message) => void delivery.accept(message),
      joined: () => {},
      result: (id, result) => commands.resolve(id, result),
      problem(id, problem) {
        if (id === null || !commands.reject(id, problem)) events.problem(new ProblemError(problem))
      },
      disconnected: () => events.offline(),
      end,
    },
  )
  return {
    did: signer.did,
    welcomed: welcomed.promise,
    isEnded: () => ended !== undefined,
    send: (command) => (ended ? Promise.reject(ended) : commands.submit(++commandId, command)),
    sign: (room_id, content) => signSmallMessage(signer, room_id, content),
    close: () => end(sessionClosed()),
  }
}

async function signSmallMessage(signer: Signer, room_id: string, content: SmallMessageContent): Promise<object> {
  const id = uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
  const unsigned = { v: '1', id, room_id, sender_id: signer.did, ...content }
  return { ...unsigned, sig: { alg: 'EdDSA', kid: signer.did, value: await signer.sign(signedBytes(unsigned)) } }
}
