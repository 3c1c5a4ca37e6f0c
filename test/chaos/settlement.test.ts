import { describe, expect, inject, it } from 'vitest'
import { startAnvil } from '../support/chain-state.ts'
import { createDatabase } from '../support/database.ts'
import { developmentKeys } from '../support/development-keys.ts'
import { faultsOf, missedPoints } from './figures.ts'
import { runChaos } from './scenario.ts'

// The short profile of `npm run chaos:settlement`: two workers, each killed where it hurts, and everybody paid once.

describe('missedPoints', () => {
  it('names the places where nobody died, and no other', () => {
    const points = { sent: { planned: 2, happened: 1 }, known: { planned: 2, happened: 0 }, mined: { planned: 1, happened: 1 } }
    expect(missedPoints({ points })).toEqual(['known'])
  })
})

describe('a settlement worker', () => {
  it('is killed at every stage, and every payout arrives once', { timeout: 400_000 }, async () => {
    const { stateFile, chainId, token, escrow } = inject('deployedChain')
    await using database = await createDatabase()
    const chain = await startAnvil({ loadState: stateFile })
    try {
      const figures = await runChaos(
        { databaseUrl: database.url, rpcUrl: chain.rpcUrl, chainId, token, escrow, keys: developmentKeys },
        {
          goals: 3,
          inFlight: 3,
          rounds: 1,
          points: ['rail_chosen', 'signed', 'prepared', 'seen', 'range_recorded'],
          chaosMs: 14_000,
          limitMs: 14_000,
          // Only a hang reaches it: a busy machine may take its time.
          drainMs: 240_000,
          seed: 7,
        },
      )
      expect(figures.kills).toBeGreaterThan(0)
      expect(figures.payouts).toBeGreaterThanOrEqual(24)
      expect(faultsOf(figures), JSON.stringify(figures)).toBe(0)
    } finally {
      await chain.stop()
    }
  })
})
