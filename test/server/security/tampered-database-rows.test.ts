import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getHold } from '../../../server/settlement/index.ts'
import { approve, authorize, capture, createMoneyWorld, drive, type MoneyWorld, open, signCharter } from '../settlement/money-world.ts'
import { keyOf } from './attacker-calls.ts'

// Who writes into the database has the server sign and send what it likes. The escrow still pays only the charter that the client approved.

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const attacker = () => keyOf(world, 'settler').address.toLowerCase() as `0x${string}`

/** From now on the rows say that the attacker is the payee of every step. The guards of the tables are no obstacle to their owner. */
async function rewrite(goalId: string): Promise<void> {
  const { db } = world.system
  const guard = async (how: 'disable' | 'enable') => {
    for (const table of ['hold_charter', 'payout']) await db.$executeRawUnsafe(`alter table "${table}" ${how} trigger user`)
  }
  await guard('disable')
  for (const { version, steps } of await db.holdCharter.findMany({ where: { goalId } })) {
    const stolen = (steps as { payee: string }[]).map((step) => ({ ...step, payee: attacker() }))
    await db.holdCharter.update({ where: { goalId_version: { goalId, version } }, data: { steps: stolen } })
  }
  await db.payout.updateMany({ where: { goalId }, data: { payee: attacker() } })
  await guard('enable')
}

/** Why the escrow refused what the server sent for the rows. */
async function refusalOf(goalId: string): Promise<string> {
  const before = await world.balance(attacker())
  await capture(world, goalId, 0b111n)
  for (let round = 0; round < 3; round++) await drive(world)
  expect((await world.balance(attacker())) - before).toBe(0n)
  expect((await getHold(world.system, goalId)).state).not.toBe('captured')
  const settlement = await world.system.db.chainTransaction.findFirstOrThrow({ where: { goalId, purpose: 'settle' } })
  return `${settlement.state}: ${settlement.failure}`
}

describe('who writes into the database', () => {
  it('has the attacker paid from no charter that the client approved for others', async () => {
    const goalId = await open(world, { workSeconds: 3 * 86_400, vetoSeconds: 0 })
    await authorize(world, goalId)
    await drive(world)
    await signCharter(world, goalId)
    await approve(world, goalId)
    await rewrite(goalId)
    expect(await refusalOf(goalId)).toMatch(/^failed_final: .*BadSignature/)
  })

  it('has it paid from no quoted goal, whose terms name the team', async () => {
    const goalId = await open(world, { workSeconds: 3 * 86_400, isQuoted: true })
    await authorize(world, goalId)
    await drive(world)
    await rewrite(goalId)
    expect(await refusalOf(goalId)).toMatch(/^failed_final: .*CharterMismatch/)
  })
})
