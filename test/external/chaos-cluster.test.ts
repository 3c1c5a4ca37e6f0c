import { describe, expect, it } from 'vitest'
import { isHarmless, runClusterScenario, shortStageSettings } from '../../chaos/cluster/run-cluster-scenario.ts'
import { createDatabase } from '../support/database.ts'

// The short profile of `npm run chaos:cluster`. How long anyone was silent depends on what else the machine does: that is
// measured by the command.

describe('two hubs', () => {
  it('lose, double and reorder nothing while one is killed, both are restarted and one is stopped', { timeout: 900_000 }, async () => {
    await using database = await createDatabase()
    const out = await runClusterScenario(shortStageSettings, { databaseUrl: database.url, nats: null }, Math.random, () => undefined)
    expect(isHarmless(shortStageSettings, out, 60_000), JSON.stringify(out)).toBe(true)
  })
})
