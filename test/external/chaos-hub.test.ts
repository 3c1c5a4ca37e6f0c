import { describe, expect, it } from 'vitest'
import { shortStageA } from '../../chaos/hub/fault-stages.ts'
import { missedBy, runHubFaultStage } from '../../chaos/hub/run-hub-fault-stage.ts'

// The short profile of `npm run chaos:hub`: the hub is killed once and PostgreSQL crashes once while agents speak.

describe('the hub', () => {
  it('loses, doubles and reorders nothing while it and its database are killed', { timeout: 900_000 }, async () => {
    const out = await runHubFaultStage(shortStageA, Math.random, () => undefined)
    expect(missedBy(shortStageA, out), JSON.stringify(out)).toEqual([])
  })
})
