import { createTestClient, http, publicActions } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deepestRewrite } from '../../chaos/settlement/chain-faults.ts'
import { isVoid } from '../../chaos/settlement/inspect-run.ts'
import { isDrainOver, type RunContext } from '../../chaos/settlement/run-context.ts'
import { wholeRunProfile } from '../../chaos/settlement/run-profiles.ts'
import { keptStates } from '../../chaos/settlement/with-test-environment.ts'
import { deployedChain, startAnvil } from '../support/deployed-chain.ts'

// The run itself is a command, `npm run chaos:settlement -- --short`: on a busy machine it takes longer than a test may.

describe('isVoid', () => {
  it('is a run in which a kind of fault never happened, or no one died at a place', () => {
    expect(isVoid({ missedKinds: [], missedPoints: [] })).toBe(false)
    expect(isVoid({ missedKinds: ['stuck_nonce'], missedPoints: [] })).toBe(true)
    expect(isVoid({ missedKinds: [], missedPoints: ['prepared'] })).toBe(true)
  })
})

describe('isDrainOver', () => {
  const { drainMs, drainRounds, maxDrainMs } = wholeRunProfile
  const isOver = (ms: number, rounds: number) =>
    isDrainOver({
      profile: wholeRunProfile,
      slots: [],
      pastRounds: 100 + rounds,
      drainFrom: { at: Date.now() - ms, rounds: 100 },
    } as unknown as RunContext)

  it('is after the time of an idle machine and as many rounds as it makes, and at the latest after the longest time', () => {
    expect(isOver(drainMs - 1_000, 10 * drainRounds)).toBe(false)
    expect(isOver(drainMs + 1_000, drainRounds)).toBe(false)
    expect(isOver(drainMs + 1_000, drainRounds + 1)).toBe(true)
    expect(isOver(maxDrainMs + 1_000, 0)).toBe(true)
  })
})

describe('the chain of a run', () => {
  it('keeps its contracts in every rewrite, however long it has run', async () => {
    const { stateFile, escrow } = await deployedChain()
    const { rpcUrl, stop } = await startAnvil({ loadState: stateFile, keptStates })
    onTestFinished(stop)
    // More patience than `callChain`: a busy machine takes long for so many blocks.
    const chain = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { timeout: 120_000, retryCount: 0 }) }).extend(publicActions)
    const mine = (blocks: number) => chain.mine({ blocks })
    const codeLength = async () => (await chain.getCode({ address: escrow }))?.length ?? 0
    const before = await codeLength()
    expect(before).toBeGreaterThan(2)
    await mine(1_200)
    // Each is followed by the next at once: removed blocks must not count as kept ones.
    for (let rewrite = 0; rewrite < 3; rewrite++) {
      await chain.request({ method: 'anvil_rollback', params: [deepestRewrite] } as never)
      expect(await codeLength()).toBe(before)
      await mine(deepestRewrite)
    }
  })
})
