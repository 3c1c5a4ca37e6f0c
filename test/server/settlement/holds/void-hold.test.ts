import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../server/context.ts'
import { inTransaction } from '../../../../server/db.ts'
import { captureHold, getHold, submitFunding, voidHold } from '../../../../server/settlement/index.ts'
import { authorize, conclusionHash, createMoneyWorld, drive, eventsOf, type MoneyWorld, open, sealedGoal } from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const agent: Actor = { kind: 'agent', did: 'did:web:a.test', agentId: 'agt_1', ownerDid: 'x', hasKey: false }
const stranger = () => world.person(privateKeyToAccount(generatePrivateKey()))
const _captureAs = (actor: Actor, goalId: string, bits = 0b111n) =>
  inTransaction(world.as(actor), (tx) => captureHold(tx, { goalId, bits, conclusionHash, taskIds: {} }))
const voidAs = (actor: Actor, goalId: string) => inTransaction(world.as(actor), (tx) => voidHold(tx, { goalId, conclusionHash }))
const _actionsOf = async (goalId: string) =>
  (await world.system.db.auditEntry.findMany({ where: { chain: `hold:${goalId}` }, orderBy: { n: 'asc' } })).map((row) => row.action)

describe('voidHold', () => {
  it('refuses strangers, and lets the room above decide about agents', async () => {
    const goalId = await sealedGoal(world)
    for (const actor of [stranger(), { kind: 'anonymous' } as const])
      await expect(voidAs(actor, goalId)).rejects.toMatchObject({ code: 'permission.denied' })
    await voidAs(agent, goalId)
    expect((await getHold(world.system, goalId)).state).toBe('voiding')
  })

  it('ends a hold that was never funded at once; money that still arrives opens it again, to be voided', async () => {
    const goalId = await open(world)
    await authorize(world, goalId)
    // The funding is signed and pending when the client stops.
    const { rail } = world.system.ports
    const halted = world.over({
      ...rail,
      broadcast: async () => {
        throw new RangeError('not yet')
      },
    })
    await expect(submitFunding(halted, goalId)).rejects.toThrow('not yet')
    await voidAs(world.person(world.client), goalId)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'failed', failure: expect.stringContaining('stopped') })
    await voidAs(world.person(world.client), goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    expect(await eventsOf(world, goalId)).toEqual(['hold.authorizing', 'hold.authorized'])
    await voidAs({ kind: 'system', name: 'jobs' }, goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('voided')
  })
})
