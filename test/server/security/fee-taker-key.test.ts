import { charterVetoTypedData } from '@parley/protocol'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../contracts/abi/index.ts'
import { runSettlementCycle } from '../../../server/settlement/index.ts'
import { authorize, createMoneyWorld, drive, type MoneyWorld, open, sealedGoal, signCharter } from '../settlement/money-world.ts'
import { answerTo, planOf, settlementCall } from './attacker-calls.ts'

// The holder of the key of the fee's taker has the fees, and signs nothing for anyone.

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
  it('settles, releases and refunds nothing', async () => {
    const taker = privateKeyToAccount(world.chain.keys[7] ?? '0x')
    const { terms } = await planOf(world, goalId)
    expect(terms.feeTo).toBe(taker.address.toLowerCase())
    expect(await answerTo(world, await settlementCall(world, goalId, taker))).toContain('BadSignature')
    expect(await answerTo(world, await settlementCall(world, goalId, taker, { call: 'release' }))).toContain('BadSignature')
    const refund = encodeFunctionData({ abi: planEscrowAbi, functionName: 'refund', args: [terms] })
    expect(await answerTo(world, refund)).toContain('accepts this call only later')
  })

  it('vetoes no proposal', async () => {
    const taker = privateKeyToAccount(world.chain.keys[7] ?? '0x')
    const proposed = await open(world, { workSeconds: 3 * 86_400 })
    await authorize(world, proposed)
    await drive(world)
    await signCharter(world, proposed)
    await runSettlementCycle(world.system)
    await drive(world)
    const { terms, planId, chainId, escrow } = await planOf(world, proposed)
    expect((await world.system.ports.rail.plan(planId)).charter).toBe('proposed')
    const vetoed = charterVetoTypedData({ chain_id: chainId, escrow, plan_id: planId }, 1)
    const args = [terms, 1, await taker.signTypedData(vetoed)] as const
    expect(await answerTo(world, encodeFunctionData({ abi: planEscrowAbi, functionName: 'veto', args }))).toContain('BadSignature')
  })
})
