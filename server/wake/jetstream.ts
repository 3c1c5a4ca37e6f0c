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
import { mergeWakes, readWake, type Wake, type Wakes } from '../wake.ts'
import { createListeners } from './listeners.ts'

/** The server keeps signals so long, for those who lost it for a moment. They are worth nothing later. */
const keptMs = 60_000
const keptBytes = 64 * 2 ** 20
const retryMs = 250
/** So long a start waits for a server that isn't there; then it goes on without, and looks by itself. */
const firstMs = 3_000
const answerMs = 2_000
const closingMs = 500
/** Signals in one message, and those that wait while the server is away: what is beyond that is found by looking. */
const mostTogether = 500
const mostWaiting = 20_000

/**
 * Signals by NATS JetStream, told after the commit: what waits while one message is under way goes with the next. A signal
 * is lost only with the process that has just committed, or where the server was away for long.
 */
export async function connectJetStream({ url, name, log }: { url: string; name: string; log: Log }): Promise<Wakes> {
  const { tell, on } = createListeners(log)
  const subject = `${name}.wake`
  let waiting = new Map<string, Wake>()
  let client: JetStreamClient | null = null
  let sending: Promise<void> | null = null
  let isClosed = false
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve())
  })
  const first = Promise.withResolvers<void>()

  function put(signal: Wake): void {
    const key = `${signal.topic} ${signal.id}`
    const other = waiting.get(key)
    if (other || waiting.size < mostWaiting) waiting.set(key, other ? mergeWakes(other, signal) : signal)
  }

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const to = client
      if (!to) return
      const batch = [...waiting].slice(0, mostTogether)
      if (batch.length === waiting.size) waiting = new Map()
      else for (const [key] of batch) waiting.delete(key)
      try {
        await to.publish(subject, JSON.stringify(batch.map(([, signal]) => signal)), { timeout: answerMs })
      } catch (error) {
        log.debug({ err: error, signals: batch.length }, 'signals wait for NATS')
        for (const [, signal] of batch) put(signal)
        if (isClosed) return
        await pause(retryMs)
      }
    }
  }

  function start(): void {
    sending ??= send().finally(() => {
      sending = null
      if (waiting.size > 0 && client && !isClosed) start()
    })
  }

  function hear(text: string): void {
    const values = parse(text)
    for (const value of Array.isArray(values) ? values : [null]) {
      const signal = readWake(value)
      if (signal) tell(signal)
      else log.warn({ subject }, 'a signal on our subject that is none of ours')
    }
  }

  /** One connection, until it is closed or its stream is gone. */
  async function serve(isFirst: boolean): Promise<void> {
    const connection = await connect({
      servers: url,
      name: 'parley',
      maxReconnectAttempts: -1,
      reconnectTimeWait: retryMs,
      pingInterval: 5_000,
    })
    try {
      // From a known place on: a consumer is made only when it is first read, and what was told in between would be passed over.
      const last = await lastOf(connection)
      const js = jetstream(connection, { timeout: answerMs })
      const consumer = await js.consumers.get(name, { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: last + 1 })
      const messages = await consumer.consume({ max_messages: 1_000, idle_heartbeat: 2_000 })
      client = js
      first.resolve()
      if (!isFirst) tell('reconnected')
      start()
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

  /** Never ends by itself: tells listeners whenever the connection is back. What was told meanwhile follows from the stream. */
  async function again(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') log.warn({ from: name }, 'lost NATS')
      if (status.type === 'reconnect') tell('reconnected')
    }
    await stopped
  }

  /** The last signal in the stream, which is made where it isn't there. */
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
        log.warn({ err: error }, 'NATS does not serve; what is there to read is looked for')
      }
      if (!isClosed) await Promise.race([pause(retryMs), stopped])
    }
  }

  const running = run()
  await Promise.race([first.promise, pause(firstMs, undefined, { ref: false })])
  const publish = (signals: readonly Wake[]) => {
    for (const signal of signals) put(signal)
    if (client) start()
  }
  return {
    byDatabase: false,
    async write(tx, signals) {
      afterCommit(tx, () => publish(signals))
    },
    publish,
    on,
    async close() {
      await Promise.race([sending, pause(closingMs)])
      isClosed = true
      stopping.abort()
      await running
    },
  }
}

/** Resolves when the server has forgotten the stream or our place in it. */
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
