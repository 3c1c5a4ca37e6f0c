import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { escrowDomainAt, planEscrowAbi, rulingTypes } from '../../../contracts/abi/index.ts'
import { escrowCharter, listCharters } from '../../../server/settlement/holds/hold-store.ts'
import { dispute } from '../settlement/dispute-actions.ts'
import { createMoneyWorld, drive, type MoneyWorld, sealedGoal } from '../settlement/money-world.ts'
import { answerTo, keyOf, planOf, settlementCall } from './attacker-calls.ts'

// The holder of the arbitrator's key splits disputed steps, and touches nothing else.

let world: MoneyWorld
let goalId: string
beforeAll(async () => {
  world = await createMoneyWorld()
  goalId = await sealedGoal(world)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('the arbitrator’s key', () => {
  it('rules on no step that no one has disputed', async () => {
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

  it('rules on a disputed step for no one but its payee, and for no second time', async () => {
    const disputed = await sealedGoal(world, { workSeconds: 86_400 })
    await dispute(world, world.client, disputed, 3)
    await drive(world)
    const { planId, chainId, escrow, terms } = await planOf(world, disputed)
    const [kept] = await listCharters(world.system, disputed)
    const charter = escrowCharter(kept ?? null)
    const rulingHash = `0x${'d1'.repeat(32)}` as const
    const ruling = (step: number) => ({ planId, version: 1, step, payeeBps: 10_000, rulingHash })
    const call = async (under: typeof charter, step = 2) => {
      const domain = escrowDomainAt({ chainId, escrow })
      const signed = { domain, types: rulingTypes, primaryType: 'Ruling', message: ruling(step) } as const
      const args = [terms, under, step, 10_000, rulingHash, await keyOf(world, 'arbitrator').signTypedData(signed)] as const
      return encodeFunctionData({ abi: planEscrowAbi, functionName: 'rule', args })
    }
    expect(await answerTo(world, await call(charter))).toBeNull()
    const attacker = { ...charter, steps: charter.steps.map((step) => ({ ...step, payee: keyOf(world, 'arbitrator').address })) }
    expect(await answerTo(world, await call(attacker))).toMatch(/charter/i)
    expect(await answerTo(world, await call(charter, 0))).toContain('is not disputed')
    await world.send(world.chain.keys[7] ?? '0x', { to: escrow, data: await call(charter) })
    expect(await answerTo(world, await call(charter))).toContain('is not disputed')
  })

  it('settles and releases nothing', async () => {
    const arbitrator = keyOf(world, 'arbitrator')
    expect(await answerTo(world, await settlementCall(world, goalId, arbitrator))).toContain('BadSignature')
    expect(await answerTo(world, await settlementCall(world, goalId, arbitrator, { call: 'release' }))).toContain('BadSignature')
  })
})
