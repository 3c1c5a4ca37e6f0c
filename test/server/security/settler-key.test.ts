import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../contracts/abi/index.ts'
import { runSettlementCycle } from '../../../server/settlement/index.ts'
import { authorize, createMoneyWorld, drive, type MoneyWorld, open, sealedGoal, signCharter } from '../settlement/money-world.ts'
import { answerTo, keyOf, planOf, settlementCall } from './attacker-calls.ts'

// The holder of the settler's key can spend its ether, and sign nothing for anyone.

let world: MoneyWorld
let goalId: string
beforeAll(async () => {
  world = await createMoneyWorld()
  goalId = await sealedGoal(world)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('the settler’s key', () => {
  it('settles nothing by its own call or signature', async () => {
    expect(await answerTo(world, await settlementCall(world, goalId, null))).toContain('BadSignature')
    expect(await answerTo(world, await settlementCall(world, goalId, keyOf(world, 'settler')))).toContain('BadSignature')
  })

  it('releases nothing and gives no notice for the client', async () => {
    expect(await answerTo(world, await settlementCall(world, goalId, null, { call: 'release' }))).toContain('BadSignature')
    const { terms } = await planOf(world, goalId)
    const veto = encodeFunctionData({ abi: planEscrowAbi, functionName: 'veto', args: [terms, 1, '0x'] })
    expect(await answerTo(world, veto)).toContain('The client has approved the charter in force')
    const notice = encodeFunctionData({ abi: planEscrowAbi, functionName: 'requestClose', args: [terms, '0x'] })
    expect(await answerTo(world, notice)).toContain('A charter is in force on chain')
  })

  it('neither vetoes a proposal nor closes a plan without a team, where the client could', async () => {
    const proposed = await open(world, { workSeconds: 3 * 86_400 })
    await authorize(world, proposed)
    await drive(world)
    const { terms } = await planOf(world, proposed)
    const notice = encodeFunctionData({ abi: planEscrowAbi, functionName: 'requestClose', args: [terms, '0x'] })
    expect(await answerTo(world, notice)).toContain('BadSignature')
    await signCharter(world, proposed)
    await runSettlementCycle(world.system)
    await drive(world)
    expect((await world.system.ports.rail.plan((await planOf(world, proposed)).planId)).charter).toBe('proposed')
    const veto = encodeFunctionData({ abi: planEscrowAbi, functionName: 'veto', args: [terms, 1, '0x'] })
    expect(await answerTo(world, veto)).toContain('BadSignature')
  })

  it('refunds nothing before the expiry', async () => {
    const { terms } = await planOf(world, goalId)
    const refund = encodeFunctionData({ abi: planEscrowAbi, functionName: 'refund', args: [terms] })
    expect(await answerTo(world, refund)).toContain('accepts this call only later')
  })
})
