import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log.ts'
import { trackListeningProcesses } from './listening-processes.ts'
import { createPublishQueue } from './publish-queue.ts'
import { parseSignal, type SignalBus } from './signal.ts'
import { createSubscribers } from './subscribers.ts'

export const channel = 'parley_wake'

const retryMs = 500
/** So often a process says that it listens, and asks by it whether its connection is still one; as long it may take to answer. */
const pulseMs = 5_000
/** Each telling takes a lock that all commits that tell take: it is worth waiting for others to go along. */
const restMs = 2

/** In the place of a signal's topic: that whoever it names listens. */
const here = 'here'

const tell = { name: 'tell', text: `select pg_notify('${channel}', s) from unnest($1::text[]) s` }

/**
 * Signals by PostgreSQL's LISTEN and NOTIFY. A verb's are told by its own commit. Those of talk are published after it, many
 * together: a commit that tells holds, until it is on the disk, a lock for which every other one waits that tells as well. While
 * no other process listens, they stay in this one.
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
      if (error) log.warn({ err: error }, 'lost the wake connection')
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
      else log.warn({ payload: message.payload }, 'a signal on our channel that is none of ours')
    })
    await next.connect()
    // A signal that is lost with the machine is one that nobody is left to hear.
    await next.query('set synchronous_commit = off')
    await next.query(`listen ${channel}`)
    // Closed while this connection was being made: nobody else would end it.
    if (isClosed) return next.end()
    client = next
    // Not waited for: what is told because of it may come at once, when whoever opens this has to listen already.
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

  // A connection whose other side is gone without a word would stay silent for hours.
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
