import { describe, expect, it } from 'vitest'
import { runFuzz } from './run-fuzz.ts'

// That they can fail is shown beside the mutants, where one is killed by them.
describe('the invariants', () => {
  it('hold after two thousand calls of the escrow, and fewer of the channels', { timeout: 2_400_000 }, async () => {
    const { output, holds } = await runFuzz()
    // 4 runs of 500 calls each: its own file sets it. `npm run test:external` makes 200 of them.
    expect(output).toContain('invariant_owesWhatItHolds() (runs: 4)')
    expect(output).toContain('test_everyShareAddsUp()')
    const others = ['channelSolvency', 'everyChannelAddsUp']
    for (const name of others) expect(output).toContain(`invariant_${name}() (runs: 3)`)
    expect(output).toMatch(/\b4 passing\b/)
    expect(output).not.toMatch(/failing|skipped/)
    expect(holds).toBe(true)
  })
})
