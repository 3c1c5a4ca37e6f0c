import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import { trackListeningProcesses } from './listening-processes.ts'
import { createPostgresListenConnection } from './postgres-listen-connection.ts'
import { createPublishQueue } from './publish-queue.ts'
import { parseSignal, type Signal, type SignalBus } from './signal.ts'
import { createSubscribers } from './subscribers.ts'

export const channel = 'parley_wake'

/** The interval of the announcements, which also test the connection. */
const announceMs = 5_000
/** NOTIFY takes a lock that all notifying commits share, so signals are collected for this time. */
const restMs = 2

/** The topic of an announcement: the process with this id listens. */
const here = 'here'

const notify = { name: 'tell', text: `select pg_notify('${channel}', s) from unnest($1::text[]) s` }

/**
 * Signals by PostgreSQL's LISTEN and NOTIFY. The commit of a command sends its signals. Signals of messages are sent after the commit, in
 * batches, because a notifying commit holds a lock until it is on disk. Without listeners they stay in this process.
 */
export async function connectPostgresNotify(url: string, log: Log): Promise<SignalBus> {
  const { notifySubscribers, on } = createSubscribers(log)
  const id = randomUUID()
  const announcement = { ...notify, values: [[JSON.stringify({ topic: here, id })]] }
  const announce = () => connection.probe(announcement)
  const audience = trackListeningProcesses(id, (missed) => {
    announce()
    queue.add(missed)
  })

  function receive(payload: string): void {
    const signal = parseSignal(parse(payload))
    if ((signal?.topic as string | undefined) === here) audience.markListening(signal?.id ?? id)
    else if (signal) notifySubscribers(signal)
    else log.warn({ event: 'signal.invalid_received', payload }, 'An invalid signal was ignored.')
  }

  async function send(signals: readonly Signal[]): Promise<void> {
    if (connection.isOpen() && audience.isEmpty()) {
      audience.keepUnsent(signals)
      for (const signal of signals) notifySubscribers(signal)
    } else await connection.query({ ...notify, values: [signals.map((signal) => JSON.stringify(signal))] })
  }

  const queue = createPublishQueue({
    carry: send,
    isThere: () => connection.isOpen(),
    onFailed: (error, signals) => log.debug({ event: 'signal.publish_delayed', err: error, signals }, 'Signals wait for PostgreSQL.'),
    restMs,
  })
  const connection = createPostgresListenConnection({
    url,
    channel,
    log,
    onPayload: receive,
    onOpen() {
      // Not awaited: its effects may arrive before the caller listens.
      announce()
      queue.start()
    },
    onReconnected: () => notifySubscribers('reconnected'),
  })
  // Detects a connection whose other side is gone without closing.
  const announcing = setInterval(announce, announceMs)
  announcing.unref()
  await connection.open()
  return {
    isTransactional: true,
    async write(tx, signals) {
      const texts = signals.map((signal) => JSON.stringify(signal))
      if (texts.length > 0) await tx.db.$executeRaw`select pg_notify(${channel}, s) from unnest(${texts}::text[]) s`
    },
    publish: queue.add,
    on,
    async close() {
      await queue.close()
      clearInterval(announcing)
      await connection.close()
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
