import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { escrowDomainAt, planEscrowAbi, rulingTypes } from '../../../contracts/abi/index.ts'
import { escrowCharter, listCharters } from '../../../server/settlement/holds/hold-store.ts'
import { createMoneyWorld, type MoneyWorld, sealedGoal } from '../settlement/money-world.ts'
import { answerTo, keyOf, planOf, settlementCall } from './calls.ts'

// The holder of the arbitrator's key splits disputed steps, and touches nothing else.

let world: MoneyWorld
let goalId: string
beforeAll(async () => {
  world = await createMoneyWorld()
  goalId = await sealedGoal(world)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('the arbitrator’s key', () => {
  it('rules on no step that nobody has disputed', async () => {
    const { planId, chainId, escrow, terms } = await planOf(world, goalId)
    const [charter] = await listCharters(world.system, goalId)
    const rulingHash = `0x${'d1'.repeat(32)}` as const
    const signature = await keyOf(world, 'arbitrator').signTypedData({
      domain: escrowDomainAt({ chainId, escrow }),
      types: rulingTypes,
      primaryType: 'Ruling',
      message: { planId, version: 1, step: 0, payeeBps: 10_000, rulingHash },
    })
    const args = [terms, escrowCharter(charter ?? null), 0, 10_000, rulingHash, signature] as const
    expect(await answerTo(world, encodeFunctionData({ abi: planEscrowAbi, functionName: 'rule', args }))).toContain('is not disputed')
  })

  it('settles and releases nothing', async () => {
    const arbitrator = keyOf(world, 'arbitrator')
    expect(await answerTo(world, await settlementCall(world, goalId, arbitrator))).toContain('BadSignature')
    expect(await answerTo(world, await settlementCall(world, goalId, arbitrator, { call: 'release' }))).toContain('BadSignature')
  })
})
