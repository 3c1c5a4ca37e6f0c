import { describe, expect, it, onTestFinished } from 'vitest'
import { deepestRewrite } from '../../chaos/settlement/chain-faults.ts'
import { isVoid } from '../../chaos/settlement/run-figures.ts'
import { keptStates } from '../../chaos/settlement/with-test-environment.ts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { deployedChain, startAnvil } from '../support/chain-state.ts'

// The run itself is a command, `npm run chaos:settlement -- --short`: on a busy machine it takes longer than a test may.

describe('isVoid', () => {
  it('is a run in which a kind of fault never happened, or nobody died at a place', () => {
    expect(isVoid({ missedKinds: [], missedPoints: [] })).toBe(false)
    expect(isVoid({ missedKinds: ['stuck_nonce'], missedPoints: [] })).toBe(true)
    expect(isVoid({ missedKinds: [], missedPoints: ['prepared'] })).toBe(true)
  })
})

describe('the chain of a run', () => {
  it('keeps its contracts in every rewrite, however long it has run', async () => {
    const { stateFile, escrow } = await deployedChain()
    const { rpcUrl, stop } = await startAnvil({ loadState: stateFile, keptStates })
    onTestFinished(stop)
    const mine = (blocks: number) => callChain(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`])
    const codeLength = async () => String(await callChain(rpcUrl, 'eth_getCode', [escrow, 'latest'])).length
    const before = await codeLength()
    expect(before).toBeGreaterThan(2)
    await mine(1_200)
    // Each is followed by the next at once: removed blocks must not count as kept ones.
    for (let rewrite = 0; rewrite < 3; rewrite++) {
      await callChain(rpcUrl, 'anvil_rollback', [deepestRewrite])
      expect(await codeLength()).toBe(before)
      await mine(deepestRewrite)
    }
  })
})
