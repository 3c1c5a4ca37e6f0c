/**
 * The escrow against its model: after every call of every sequence, the same events, the same error, the same plans,
 * credits, nonces, signers and balances. `node test/contracts/model/soak.ts 2000` plays for longer.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allFns, anyIntent, createComparison, emptyTally } from './differential.ts'

let comparison: Awaited<ReturnType<typeof createComparison>>
beforeAll(async () => {
  comparison = await createComparison()
})
afterAll(() => comparison[Symbol.asyncDispose]())

describe('the escrow and its model', () => {
  it('agree after every call', { timeout: 600_000 }, async () => {
    const tally = emptyTally()
    const sequences = fc.array(anyIntent, { minLength: 20, maxLength: 40, size: 'max' })
    await fc.assert(
      fc.asyncProperty(sequences, async (intents) => void (await comparison.play(intents, tally))),
      { numRuns: 40, seed: 1, endOnFailure: Boolean(process.env.ESCROW_UNDER_TEST) },
    )
    expect(tally.calls).toBeGreaterThan(600)
    // A run that never got there shows nothing.
    if (!process.env.ESCROW_UNDER_TEST) for (const fn of allFns) expect(tally.through[fn] ?? 0, `${fn} went through`).toBeGreaterThan(0)
  })
})
