import { setTimeout as pause } from 'node:timers/promises'
import type { LoadOptions } from './generate-load.ts'
import type { Actor } from './seed-agents.ts'

/** The environment of a hub without one of its settings for latency; `BENCH_V8_FLAGS` takes back those of server/hub/ops/tune-garbage-collector.ts. */
export const latencySettings: Readonly<Record<string, Record<string, string>>> = {
  as_shipped: {},
  without_busy_polling: { DATABASE_BUSY_POLLING: 'false' },
  with_pretenuring: { BENCH_V8_FLAGS: '--allocation-site-pretenuring' },
  with_early_marking: { BENCH_V8_FLAGS: '--incremental-marking-soft-trigger=0 --incremental-marking-hard-trigger=0' },
}

type Flow = {
  readonly in_per_s: number
  readonly p50_ms?: number
  readonly p99_ms?: number
  readonly cpu_us_per_message: { readonly server: number }
}
type Bench = {
  /** Ends the hub, and starts one with this environment. */
  restart(env: Record<string, string>): Promise<void>
  flow(how: Omit<LoadOptions, 'warmMs' | 'ms'>): Promise<Flow>
}

const rounds = 3
const agents = 2_000
/** The idle collection looks every 4 s whether nothing has happened since it looked last. */
const idleMs = 12_000

/** Medians over some rounds, in each of which every variant has its turn: full load, and 2,000 messages per second after it. */
export async function measureLatencySettings({ restart, flow }: Bench): Promise<Record<string, Record<string, number>>> {
  const found = new Map<string, { full: Flow; steady: Flow }[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, env] of Object.entries(latencySettings)) {
      await restart(env)
      const full = await flow({ bytes: 1_024, window: 8 })
      const steady = await flow({ bytes: 1_024, window: 1, rate: 2_000 })
      found.set(name, [...(found.get(name) ?? []), { full, steady }])
    }
  }
  const rows = [...found].map(([name, all]) => {
    const median = (of: (one: { full: Flow; steady: Flow }) => number) => all.map(of).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
    return [
      name,
      {
        in_per_s: median(({ full }) => full.in_per_s),
        steady_p50_ms: median(({ steady }) => steady.p50_ms ?? 0),
        steady_p99_ms: median(({ steady }) => steady.p99_ms ?? 0),
        steady_cpu_us_per_message: median(({ steady }) => steady.cpu_us_per_message.server),
      },
    ] as const
  })
  for (const [name, row] of rows) console.log(`  ${name.padEnd(22)} ${JSON.stringify(row)}`)
  return Object.fromEntries(rows)
}

type Crowds = {
  restart(env: Record<string, string>): Promise<void>
  seedTeam(rooms: number, size: number): Promise<Actor[]>
  /** Connects these, does the work, and disconnects them. */
  withConnectedAgents(actors: Actor[], work: (drive: (how: LoadOptions) => Promise<unknown>) => Promise<unknown>): Promise<unknown>
  memory(): number
}

/**
 * Megabytes of a hub with many connections: idle, and while one of them posts a message each second. That hub is never idle, so it starts
 * no garbage collection itself.
 */
export async function measureIdleCollection({ restart, seedTeam, withConnectedAgents, memory }: Crowds): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const name of ['busy_mb', 'idle_mb']) {
    await restart({})
    await withConnectedAgents(await seedTeam(agents / 8, 8), async (drive) => {
      if (name === 'idle_mb') await pause(idleMs)
      else await drive({ bytes: 64, window: 1, rate: 1, senders: 1, warmMs: 0, ms: idleMs })
      found[name] = Math.round(memory() / 1e6)
    })
  }
  console.log(`  idle collection        ${JSON.stringify(found)}`)
  return found
}
