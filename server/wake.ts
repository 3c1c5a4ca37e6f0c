import pg from 'pg'
import type { Context } from './context.ts'
import type { Log } from './log.ts'

/** What processes tell one another: only that something is there to read, never the thing itself. */
export type Wake = {
  readonly topic: 'group' | 'goal' | 'agent' | 'market' | 'channel'
  readonly id: string
  /** Of a group: its last message, so that who has it need not look. */
  readonly seq?: number
  /** Who wrote it, where that one tells its own process by itself. */
  readonly from?: string
}

export const channel = 'parley_wake'

/** Tells all processes, when and if the transaction commits. */
export async function wake(ctx: Context, signal: Wake): Promise<void> {
  await ctx.db.$executeRaw`select pg_notify(${channel}, ${JSON.stringify(signal)})`
}

/** Anybody who may connect may notify: what is no signal is passed over. */
function readWake(payload: string): Wake | null {
  try {
    const { topic, id, seq, from } = JSON.parse(payload) as Wake
    if (typeof topic !== 'string' || typeof id !== 'string') return null
    return { topic, id, ...(typeof seq === 'number' && { seq }), ...(typeof from === 'string' && { from }) }
  } catch {
    return null
  }
}

export type WakeListener = { on(listener: (signal: Wake | 'reconnected') => void): () => void; close(): Promise<void> }

/**
 * Hears what other processes tell. After a lost connection listeners get `reconnected` and must read again, because
 * signals are sent at most once.
 */
export async function listenForWakes(url: string, log: Log): Promise<WakeListener> {
  const listeners = new Set<(signal: Wake | 'reconnected') => void>()
  const tell = (signal: Wake | 'reconnected') => {
    for (const listener of listeners) listener(signal)
  }
  let client: pg.Client | null = null
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  async function open(): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true })
    next.on('error', (error) => {
      log.warn({ err: error }, 'lost the wake connection')
      next.removeAllListeners('end')
      again()
    })
    next.on('end', again)
    next.on('notification', (message) => {
      const signal = readWake(message.payload ?? '')
      if (signal) tell(signal)
      else log.warn({ payload: message.payload }, 'a signal on our channel that is none of ours')
    })
    await next.connect()
    await next.query(`listen ${channel}`)
    // Closed while this connection was being made: nobody else would end it.
    if (isClosed) return next.end()
    client = next
  }
  function again(): void {
    if (isClosed) return
    clearTimeout(retry)
    retry = setTimeout(() => open().then(() => tell('reconnected'), again), 500)
  }
  await open()
  return {
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end()
    },
  }
}
