import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../server/context.ts'
import { inTransaction } from '../../../../server/db.ts'
import { captureHold, getHold, voidHold } from '../../../../server/settlement/index.ts'
import { capture, conclusionHash, createMoneyWorld, drive, eventsOf, type MoneyWorld, open, sealedGoal } from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const agent: Actor = { kind: 'agent', did: 'did:web:a.test', agentId: 'agt_1', ownerDid: 'x', hasKey: false }
const stranger = () => world.person(privateKeyToAccount(generatePrivateKey()))
const captureAs = (actor: Actor, goalId: string, bits = 0b111n) =>
  inTransaction(world.as(actor), (tx) => captureHold(tx, { goalId, bits, conclusionHash, taskIds: {} }))
const voidAs = (actor: Actor, goalId: string) => inTransaction(world.as(actor), (tx) => voidHold(tx, { goalId, conclusionHash }))
const actionsOf = async (goalId: string) =>
  (await world.system.db.auditEntry.findMany({ where: { chain: `hold:${goalId}` }, orderBy: { n: 'asc' } })).map((row) => row.action)

describe('captureHold', () => {
  it('refuses everyone but the client and the server', async () => {
    const goalId = await sealedGoal(world)
    for (const actor of [agent, stranger(), { kind: 'anonymous' } as const])
      await expect(captureAs(actor, goalId)).rejects.toMatchObject({ code: 'permission.denied' })
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    await captureAs(world.person(world.client), goalId)
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
  })

  it('refuses steps that no sealed charter has, and a hold that is not funded', async () => {
    const goalId = await sealedGoal(world)
    await expect(capture(world, goalId, 0b1000n)).rejects.toMatchObject({ code: 'team.charter_invalid' })
    await expect(capture(world, await open(world), 1n)).rejects.toMatchObject({ code: 'team.charter_invalid' })
  })

  it('audits and announces once, however often it is repeated, and refuses to be changed', async () => {
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b011n)
    await capture(world, goalId, 0b011n)
    await expect(capture(world, goalId, 0b111n)).rejects.toMatchObject({ code: 'hold.wrong_state' })
    expect((await actionsOf(goalId)).filter((action) => action === 'hold.capture')).toHaveLength(1)
    expect((await eventsOf(world, goalId)).filter((type) => type === 'hold.capturing')).toHaveLength(1)
    await drive(world)
    await capture(world, goalId, 0b011n)
    await expect(voidAs({ kind: 'system', name: 'jobs' }, goalId)).rejects.toMatchObject({ code: 'hold.wrong_state' })
    expect((await getHold(world.system, goalId)).state).toBe('captured')
  })

  it('is a void where nothing is to be paid', async () => {
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0n)
    expect((await getHold(world.system, goalId)).state).toBe('voiding')
  })
})
