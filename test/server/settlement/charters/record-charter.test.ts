import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../server/context.ts'
import { inTransaction } from '../../../../server/db.ts'
import { captureHold, getHold, listPayouts, recordCharter, submitCharterSeal, voidHold } from '../../../../server/settlement/index.ts'
import {
  approve,
  authorize,
  conclusionHash,
  createMoneyWorld,
  drive,
  eventsOf,
  handOver,
  lower,
  type MoneyWorld,
  open,
  sealedGoal,
  signMembers,
} from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const _agent: Actor = { kind: 'agent', did: 'did:web:a.test', agentId: 'agt_1', ownerDid: 'x', hasKey: false }
const _stranger = () => world.person(privateKeyToAccount(generatePrivateKey()))
const _captureAs = (actor: Actor, goalId: string, bits = 0b111n) =>
  inTransaction(world.as(actor), (tx) => captureHold(tx, { goalId, bits, conclusionHash, taskIds: {} }))
const _voidAs = (actor: Actor, goalId: string) => inTransaction(world.as(actor), (tx) => voidHold(tx, { goalId, conclusionHash }))
const actionsOf = async (goalId: string) =>
  (await world.system.db.auditEntry.findMany({ where: { chain: `hold:${goalId}` }, orderBy: { n: 'asc' } })).map((row) => row.action)

describe('recordCharter', () => {
  const [first, amount] = [1, 1_000_000n]
  const charterHash = `0x${'ab'.repeat(32)}` as const
  const record = async (goalId: string, payee: `0x${string}`, more: { amount?: bigint; version?: number; step?: number } = {}) => {
    const steps = [{ step: more.step ?? first, payee, amount: more.amount ?? amount, agentId: 'agt_1' }]
    const charter = { goalId, version: more.version ?? 1, charterHash, steps }
    // A payee that cannot be paid has no key here. It is rejected for that reason, not for its signature.
    const memberSignatures = await signMembers(world, charter).catch(() => [{ signer: payee, signature: '0x' as const }])
    await inTransaction(world.system, (tx) => recordCharter(tx, { ...charter, memberSignatures }))
  }

  it('refuses what the escrow would refuse, before it costs anything', async () => {
    const goalId = await open(world)
    const payee = world.payees[0] ?? '0x'
    await expect(record(goalId, payee)).rejects.toMatchObject({ code: 'hold.wrong_state' })
    await authorize(world, goalId)
    await drive(world)
    const { evaluator, escrow } = world.system.market
    for (const bad of [evaluator, escrow, lower(`0x${'0'.repeat(40)}`)])
      await expect(record(goalId, bad)).rejects.toMatchObject({ code: 'team.charter_invalid' })
    await expect(record(goalId, payee, { step: 2 })).rejects.toMatchObject({ code: 'team.charter_invalid' })
    // 10 USDC and the fee of 2.5 % are exactly the hold; one more unit is too much.
    await expect(record(goalId, payee, { amount: 10_000_001n })).rejects.toMatchObject({ code: 'team.charter_invalid' })
    await record(goalId, payee, { amount: 10_000_000n })
    await record(goalId, payee, { amount: 10_000_000n })
    await expect(record(goalId, payee, { version: 0 })).rejects.toMatchObject({ code: 'team.charter_invalid' })
    expect((await actionsOf(goalId)).filter((action) => action === 'hold.record_charter')).toHaveLength(1)
    await drive(world)
    // Without approval and with a veto window that ends too late, it is never in force.
    expect((await getHold(world.system, goalId)).charterHash).toBeNull()
    await approve(world, goalId)
    expect((await getHold(world.system, goalId)).charterHash).toBe(charterHash)
  })

  it('replaces the payouts of the version before when the escrow has sealed the next, and not earlier', async () => {
    const goalId = await sealedGoal(world)
    await handOver(world, goalId, 2, world.payees[2])
    const thirdPayee = async () => (await listPayouts(world.system, { goalId }))[2]?.payee
    expect(await thirdPayee()).toBe(world.payees[1])
    await submitCharterSeal(world.system, goalId)
    await drive(world)
    await submitCharterSeal(world.system, goalId)
    await drive(world)
    expect(await thirdPayee()).toBe(world.payees[2])
    expect(await listPayouts(world.system, { payee: world.payees[2] ?? '' })).toHaveLength(1)
    const all = await world.system.db.payout.findMany({ where: { goalId }, orderBy: [{ charterVersion: 'asc' }, { step: 'asc' }] })
    expect(all.map(({ charterVersion, state }) => [charterVersion, state])).toEqual([
      [1, 'replaced'],
      [1, 'replaced'],
      [1, 'replaced'],
      [2, 'sealed'],
      [2, 'sealed'],
      [2, 'sealed'],
    ])
    expect((await eventsOf(world, goalId)).filter((type) => type === 'team.recorded')).toHaveLength(2)
  })
})
