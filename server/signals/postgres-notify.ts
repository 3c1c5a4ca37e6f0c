import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log.ts'
import { trackListeningProcesses } from './listening-processes.ts'
import { createPublishQueue } from './publish-queue.ts'
import { parseSignal, type SignalBus } from './signal.ts'
import { createSubscribers } from './subscribers.ts'

export const channel = 'parley_wake'

const retryMs = 500
/** The interval of the announcements, which also test the connection, and the maximum wait for an answer. */
const pulseMs = 5_000
/** NOTIFY takes a lock that all notifying commits share, so signals are collected for this time. */
const restMs = 2

/** The topic of an announcement: the process with this id listens. */
const here = 'here'

const tell = { name: 'tell', text: `select pg_notify('${channel}', s) from unnest($1::text[]) s` }

/**
 * Signals by PostgreSQL's LISTEN and NOTIFY. The commit of a command sends its signals. Signals of messages are sent after the commit, in
 * batches, because a notifying commit holds a lock until it is on disk. Without listeners they stay in this process.
 */
export async function connectNotify(url: string, log: Log): Promise<SignalBus> {
  const { tell: hear, on } = createSubscribers(log)
  let client: pg.Client | null = null
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  const name = randomUUID()
  const announcement = { ...tell, values: [[JSON.stringify({ topic: here, id: name })]] }
  const audience = trackListeningProcesses(name, (missed) => {
    announce()
    teller.add(missed)
  })

  function announce(): void {
    const asked = client
    asked?.query(announcement).catch((error: Error) => asked === client && !isClosed && asked.emit('error', error))
  }

  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: pulseMs,
      query_timeout: pulseMs,
      application_name: 'parley wake',
    })
    const lost = (error?: Error) => {
      if (error) log.warn({ err: error }, 'lost the LISTEN connection')
      next.removeAllListeners('end')
      if (client === next) client = null
      next.end().catch(() => undefined)
      again()
    }
    next.on('error', lost)
    next.on('end', () => lost())
    next.on('notification', (message) => {
      const signal = parseSignal(parse(message.payload ?? ''))
      if ((signal?.topic as string | undefined) === here) audience.markListening(signal?.id ?? name)
      else if (signal) hear(signal)
      else log.warn({ payload: message.payload }, 'ignored an invalid signal')
    })
    await next.connect()
    // A signal that is lost with the machine has no listener any more.
    await next.query('set synchronous_commit = off')
    await next.query(`listen ${channel}`)
    // Closed during the connection attempt: nothing else would end this client.
    if (isClosed) return next.end()
    client = next
    // Not awaited: its effects may arrive before the caller listens.
    announce()
    teller.start()
  }

  const teller = createPublishQueue({
    async carry(signals) {
      if (!client) throw new Error('PostgreSQL is away')
      if (audience.isEmpty()) {
        audience.keepUnsent(signals)
        for (const signal of signals) hear(signal)
        return
      }
      await client.query({ ...tell, values: [signals.map((signal) => JSON.stringify(signal))] })
    },
    isThere: () => client !== null,
    onFailed: (error, signals) => log.debug({ err: error, signals }, 'signals wait for PostgreSQL'),
    restMs,
  })

  function again(): void {
    if (isClosed) return
    clearTimeout(retry)
    retry = setTimeout(() => open().then(() => hear('reconnected'), again), retryMs)
  }

  // Detects a connection whose other side is gone without closing.
  const pulse = setInterval(announce, pulseMs)
  pulse.unref()

  await open()
  return {
    isTransactional: true,
    async write(tx, signals) {
      const texts = signals.map((signal) => JSON.stringify(signal))
      if (texts.length > 0) await tx.db.$executeRaw`select pg_notify(${channel}, s) from unnest(${texts}::text[]) s`
    },
    publish: teller.add,
    on,
    async close() {
      await teller.close()
      isClosed = true
      clearTimeout(retry)
      clearInterval(pulse)
      client?.removeAllListeners('end')
      await client?.end()
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
