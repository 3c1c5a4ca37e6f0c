import type { FaultKind } from './fault-tally.ts'

type Hex = `0x${string}`

/** The environment of a run: private services on loopback. */
export type TestEnvironment = {
  readonly databaseUrl: string
  /** Kills the database with all its processes and starts it again on the same data. */
  readonly crashDatabase: () => Promise<void>
  /** Ends every connection to the database but the caller's. */
  readonly disconnectDatabase: () => Promise<void>
  readonly rpcUrl: string
  readonly chainId: number
  readonly escrow: Hex
  readonly token: Hex
  readonly channels: Hex
  readonly keys: readonly Hex[]
}

/**
 * `goals`: at least; `inFlight`: at once, of those on the escrow. `rounds`: how often the process dies at each place. `faults`:
 * how often each is planned. `chaosMs`: after so long no further kill begins, but at a place where no one has died yet; after
 * `limitMs` nothing goes wrong any more. `drainMs`, `drainRounds`: so much time, and so many rounds, until all has to be finished;
 * `maxDrainMs`: however slow the machine is.
 */
export type Profile = {
  readonly goals: number
  readonly inFlight: number
  readonly cardGoals: number
  readonly channels: number
  readonly rounds: number
  readonly faults: { readonly [K in FaultKind]?: number }
  readonly chaosMs: number
  readonly limitMs: number
  readonly drainMs: number
  readonly drainRounds: number
  readonly maxDrainMs: number
  readonly seed: number
  readonly points: readonly string[]
}

/** Waits until `probe` returns a value; null after `ms`. A probe that throws is repeated, because the database may be unavailable. */
export async function pollUntil<T>(ms: number, probe: () => Promise<T | null | undefined | false>): Promise<T | null> {
  for (const since = Date.now(); Date.now() - since < ms; ) {
    const found = await probe().catch(() => null)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  return null
}

/** Repeats an idempotent action until it succeeds, because the database is sometimes unavailable. */
export async function retryUntilDone<T>(work: () => Promise<T>, tries = 40): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work()
    } catch (error) {
      if (n >= tries) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}
