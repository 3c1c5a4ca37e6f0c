import { setTimeout as pause } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'
import type { MarketApi } from '../market/market-api.ts'
import type { Terminal } from '../terminal.ts'

/** A goal as this program reads it. */
export type AskedGoal = { readonly id: string; readonly roomId: string; readonly state: string; readonly outcome: string | null }
/** `shown`: the state that was noted before. `lookEveryMs`: the time between two requests. `maxAwayMs`: how long the market may be away. */
export type WaitOptions = {
  readonly api: Pick<MarketApi, 'read'>
  readonly terminal: Pick<Terminal, 'note'>
  readonly shown?: string
  readonly lookEveryMs?: number
  readonly maxAwayMs?: number
}

/**
 * Waits until a goal has one of the states, and notes each state. A network or market that is away for a while does not end the wait,
 * because the money is set aside already. @throws {CliError} when `until` (Unix milliseconds) has passed, or the market stays away
 */
export async function waitForGoal(
  goalId: string,
  states: readonly string[],
  until: number,
  { api, terminal, shown: before = '', lookEveryMs = 1_000, maxAwayMs = 600_000 }: WaitOptions,
): Promise<AskedGoal> {
  let shown = before
  let awaySince: number | null = null
  for (;;) {
    const goal = await api.read<AskedGoal>('goals.get', { goal_id: goalId }).catch((error: unknown) => {
      const now = Date.now()
      if (!(error instanceof CliError && error.isTemporary) || now - (awaySince ?? now) >= maxAwayMs) throw error
      if (awaySince === null) terminal.note(`  ${error.message} This waits and tries again.`)
      awaySince ??= now
      return null
    })
    if (goal !== null) {
      awaySince = null
      if (goal.state !== shown) terminal.note(`  ${goal.state}`)
      shown = goal.state
      if (states.includes(goal.state)) return goal
    }
    if (Date.now() > until) throw new CliError(`The goal is still ${shown || 'unknown'}.`)
    await pause(lookEveryMs)
  }
}
