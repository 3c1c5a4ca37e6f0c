import { setTimeout as pause } from 'node:timers/promises'
import {
  type ConsumerMessages,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamClient,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import { afterCommit } from '../db.ts'
import type { Log } from '../log.ts'
import { createPublishQueue, type PublishQueue } from './publish-queue.ts'
import { parseSignal, type Signal, type SignalBus } from './signal.ts'
import { createSubscribers } from './subscribers.ts'

/** How long the stream keeps signals for processes that were disconnected. */
const keptMs = 60_000
const keptBytes = 64 * 2 ** 20
const retryMs = 250
/** How long a start waits for NATS. After it the process runs without signals, and polls. */
const firstMs = 3_000
const answerMs = 2_000
/** The maximum duration of a connection attempt. */
const connectMs = 10_000
const closingMs = 500

/** The state of one process's connection to the stream. */
type StreamState = {
  readonly url: string
  /** The name of the stream. */
  readonly name: string
  readonly log: Log
  readonly subscribers: ReturnType<typeof createSubscribers>
  readonly queue: PublishQueue
  /** Null while NATS is unavailable. */
  client: JetStreamClient | null
  readonly connected: PromiseWithResolvers<void>
  readonly stopped: PromiseWithResolvers<void>
  isClosed: boolean
}

/**
 * Signals by the message broker NATS JetStream, sent after the commit. Signals that arrive during a request go into the next one. A signal is lost only if
 * the process dies after its commit, or if NATS is unavailable for too long.
 */
export async function connectJetStream({ url, name, log }: { url: string; name: string; log: Log }): Promise<SignalBus> {
  const state: StreamState = {
    url,
    name,
    log,
    subscribers: createSubscribers(log),
    queue: createPublishQueue({
      carry: (signals) => send(state, signals),
      isThere: () => state.client !== null,
      onFailed: (error, signals) => log.debug({ event: 'signal.nats_publish_delayed', err: error, signals }, 'Signals wait for NATS.'),
      restMs: 0,
    }),
    client: null,
    connected: Promise.withResolvers(),
    stopped: Promise.withResolvers(),
    isClosed: false,
  }
  const running = keepConnected(state)
  await Promise.race([state.connected.promise, pause(firstMs, undefined, { ref: false })])
  return {
    isTransactional: false,
    async write(tx, signals) {
      afterCommit(tx, () => state.queue.add(signals))
    },
    publish: state.queue.add,
    on: state.subscribers.on,
    async close() {
      await state.queue.close()
      state.isClosed = true
      state.stopped.resolve()
      await running
    },
  }
}

async function keepConnected(state: StreamState): Promise<void> {
  for (let isFirst = true; !state.isClosed; isFirst = false) {
    try {
      await serveConnection(state, isFirst)
    } catch (error) {
      state.log.warn({ event: 'signal.nats_unavailable', err: error }, 'NATS is not available, so readers poll for changes.')
    }
    if (!state.isClosed) await Promise.race([pause(retryMs), state.stopped.promise])
  }
}

/** Runs one connection until it closes or its stream is gone. */
async function serveConnection(state: StreamState, isFirst: boolean): Promise<void> {
  const connection = await connect({
    servers: state.url,
    name: 'parley',
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    pingInterval: 5_000,
    timeout: connectMs,
  })
  try {
    // Start at a known sequence number: the consumer is created on its first read, and signals sent before that would be skipped.
    const last = await lastSequence(connection, state.name)
    const js = jetstream(connection, { timeout: answerMs })
    const consumer = await js.consumers.get(state.name, { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: last + 1 })
    const messages = await consumer.consume({ max_messages: 1_000, idle_heartbeat: 2_000 })
    state.client = js
    state.connected.resolve()
    if (!isFirst) state.subscribers.notifySubscribers('reconnected')
    state.queue.start()
    const ends = [readMessages(state, messages), streamGone(messages), connection.closed(), reportReconnects(state, connection)]
    await Promise.race([...ends, state.stopped.promise])
    await Promise.race([messages.close(), pause(closingMs)])
  } finally {
    state.client = null
    await Promise.race([connection.close(), pause(closingMs)])
  }
}

async function send({ client, name }: StreamState, signals: readonly Signal[]): Promise<void> {
  if (!client) throw new Error('NATS is away')
  await client.publish(subjectOf(name), JSON.stringify(signals), { timeout: answerMs })
}

async function readMessages({ name, log, subscribers }: StreamState, messages: ConsumerMessages): Promise<void> {
  for await (const message of messages) {
    const values = parse(message.string())
    for (const value of Array.isArray(values) ? values : [null]) {
      const signal = parseSignal(value)
      if (signal) subscribers.notifySubscribers(signal)
      else log.warn({ event: 'signal.nats_invalid_received', subject: subjectOf(name) }, 'An invalid signal from NATS was ignored.')
    }
  }
}

/** Notifies subscribers of each reconnect; missed signals follow from the stream. Ends only with the process. */
async function reportReconnects({ name, log, subscribers, stopped }: StreamState, connection: NatsConnection): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn({ event: 'signal.nats_connection_lost', from: name }, 'The NATS connection was lost.')
    if (status.type === 'reconnect') subscribers.notifySubscribers('reconnected')
  }
  await stopped.promise
}

/** The last sequence number of the stream, which is created if missing. */
async function lastSequence(connection: NatsConnection, name: string): Promise<number> {
  const manager = await jetstreamManager(connection, { timeout: answerMs })
  const found = await manager.streams.info(name).catch(() => null)
  if (found) return found.state.last_seq
  const made = await manager.streams.add({
    name,
    subjects: [subjectOf(name)],
    retention: RetentionPolicy.Limits,
    storage: StorageType.Memory,
    discard: DiscardPolicy.Old,
    max_age: nanos(keptMs),
    max_bytes: keptBytes,
  })
  return made.state.last_seq
}

function subjectOf(stream: string): string {
  return `${stream}.wake`
}

/** Resolves when the server has lost the stream or the consumer. */
async function streamGone(messages: ConsumerMessages): Promise<void> {
  for await (const status of messages.status())
    if (status.type === 'stream_not_found' || status.type === 'consumer_deleted' || status.type === 'no_responders') return
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
