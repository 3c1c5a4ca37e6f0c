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
import { createPublishQueue } from './publish-queue.ts'
import { parseSignal, type SignalBus } from './signal.ts'
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

/**
 * Signals by NATS JetStream, sent after the commit. Signals that arrive during a request go into the next one. A signal is lost only if
 * the process dies after its commit, or if NATS is away for too long.
 */
export async function connectJetStream({ url, name, log }: { url: string; name: string; log: Log }): Promise<SignalBus> {
  const { tell, on } = createSubscribers(log)
  const subject = `${name}.wake`
  let client: JetStreamClient | null = null
  let isClosed = false
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve())
  })
  const first = Promise.withResolvers<void>()

  const teller = createPublishQueue({
    async carry(signals) {
      if (!client) throw new Error('NATS is away')
      await client.publish(subject, JSON.stringify(signals), { timeout: answerMs })
    },
    isThere: () => client !== null,
    onFailed: (error, signals) => log.debug({ err: error, signals }, 'signals wait for NATS'),
    restMs: 0,
  })

  function hear(text: string): void {
    const values = parse(text)
    for (const value of Array.isArray(values) ? values : [null]) {
      const signal = parseSignal(value)
      if (signal) tell(signal)
      else log.warn({ subject }, 'ignored an invalid signal')
    }
  }

  /** Runs one connection until it closes or its stream is gone. */
  async function serve(isFirst: boolean): Promise<void> {
    const connection = await connect({
      servers: url,
      name: 'parley',
      maxReconnectAttempts: -1,
      reconnectTimeWait: retryMs,
      pingInterval: 5_000,
      timeout: connectMs,
    })
    try {
      // Start at a known sequence number: the consumer is created on its first read, and signals sent before that would be skipped.
      const last = await lastOf(connection)
      const js = jetstream(connection, { timeout: answerMs })
      const consumer = await js.consumers.get(name, { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: last + 1 })
      const messages = await consumer.consume({ max_messages: 1_000, idle_heartbeat: 2_000 })
      client = js
      first.resolve()
      if (!isFirst) tell('reconnected')
      teller.start()
      const reading = (async () => {
        for await (const message of messages) hear(message.string())
      })()
      await Promise.race([reading, streamGone(messages), connection.closed(), again(connection), stopped])
      await Promise.race([messages.close(), pause(closingMs)])
    } finally {
      client = null
      await Promise.race([connection.close(), pause(closingMs)])
    }
  }

  /** Notifies subscribers of each reconnect; missed signals follow from the stream. Ends only with the process. */
  async function again(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') log.warn({ from: name }, 'lost the NATS connection')
      if (status.type === 'reconnect') tell('reconnected')
    }
    await stopped
  }

  /** The last sequence number of the stream, which is created if missing. */
  async function lastOf(connection: NatsConnection): Promise<number> {
    const manager = await jetstreamManager(connection, { timeout: answerMs })
    const found = await manager.streams.info(name).catch(() => null)
    if (found) return found.state.last_seq
    const made = await manager.streams.add({
      name,
      subjects: [subject],
      retention: RetentionPolicy.Limits,
      storage: StorageType.Memory,
      discard: DiscardPolicy.Old,
      max_age: nanos(keptMs),
      max_bytes: keptBytes,
    })
    return made.state.last_seq
  }

  async function run(): Promise<void> {
    for (let isFirst = true; !isClosed; isFirst = false) {
      try {
        await serve(isFirst)
      } catch (error) {
        log.warn({ err: error }, 'NATS is not available; readers poll for changes')
      }
      if (!isClosed) await Promise.race([pause(retryMs), stopped])
    }
  }

  const running = run()
  await Promise.race([first.promise, pause(firstMs, undefined, { ref: false })])
  return {
    isTransactional: false,
    async write(tx, signals) {
      afterCommit(tx, () => teller.add(signals))
    },
    publish: teller.add,
    on,
    async close() {
      await teller.close()
      isClosed = true
      stopping.abort()
      await running
    },
  }
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
