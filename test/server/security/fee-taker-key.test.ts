import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../contracts/abi/index.ts'
import { createMoneyWorld, type MoneyWorld, sealedGoal } from '../settlement/money-world.ts'
import { answerTo, planOf, settlementCall } from './calls.ts'

// The holder of the key of the fee's taker has the fees, and says nothing for anybody.

let world: MoneyWorld
let goalId: string
beforeAll(async () => {
  world = await createMoneyWorld()
  const taker = privateKeyToAccount(world.chain.keys[7] ?? '0x')
  const market = { ...world.system.market, feeTo: taker.address.toLowerCase() as `0x${string}` }
  const system = { ...world.system, market }
  world = { ...world, system, as: (actor) => ({ ...system, actor }) }
  goalId = await sealedGoal(world)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('the key of the fee’s taker', () => {
  it('settles, releases, vetoes and refunds nothing', async () => {
    const taker = privateKeyToAccount(world.chain.keys[7] ?? '0x')
    const { terms } = await planOf(world, goalId)
    expect(terms.feeTo).toBe(taker.address.toLowerCase())
    expect(await answerTo(world, await settlementCall(world, goalId, taker))).toContain('BadSignature')
    expect(await answerTo(world, await settlementCall(world, goalId, taker, { call: 'release' }))).toContain('BadSignature')
    const refund = encodeFunctionData({ abi: planEscrowAbi, functionName: 'refund', args: [terms] })
    expect(await answerTo(world, refund)).toContain('accepts this call only later')
  })
})
