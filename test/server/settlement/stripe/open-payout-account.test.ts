import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setAccountReady } from '../../../../server/embedded/stripe-fake/accounts.ts'
import {
  getCardEarnings,
  getGoalCashFlow,
  getHold,
  getPayoutAccountTerms,
  listPayouts,
  openPayoutAccount,
} from '../../../../server/settlement/index.ts'
import { claimDays } from '../../../../server/settlement/stripe/credit-share-without-payout-account.ts'
import {
  accountCommand,
  type CardWorld,
  capture,
  createCardWorld,
  drive,
  ledgerBalance,
  movedFor,
  openAccount,
  sealedGoal,
  settle,
} from '../card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld({ accounts: false })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

/** Each call signs at a later second: a deadline counts once. */
const ask = async (ctx = publisher().ctx) => {
  const command = await accountCommand(publisher())
  world.clock.advance(1_000)
  return openPayoutAccount(ctx, command)
}
const publisher = (index = 0) => {
  const one = world.publishers[index]
  if (!one) throw new Error('no such publisher')
  return one
}
const payoutsOf = async (goalId: string) => (await listPayouts(world.system, { goalId })).map((payout) => payout.state)
async function earned(bits = 0b111n): Promise<`gol_${string}`> {
  const goalId = await sealedGoal(world)
  await capture(world, goalId, bits)
  await drive(world)
  return goalId
}

describe('openPayoutAccount', () => {
  it('refuses who has not signed in, and agents', async () => {
    await expect(ask(world.as({ kind: 'anonymous' }))).rejects.toMatchObject({ code: 'auth.required' })
    const agent = { kind: 'agent', did: 'did:web:a.test', agentId: 'agt_1', ownerDid: 'x', hasKey: false } as const
    await expect(ask(world.as(agent))).rejects.toMatchObject({ code: 'permission.denied' })
  })

  it('refuses all but the wallet’s own signature, in time and once', async () => {
    const one = publisher(1)
    const command = await accountCommand(one)
    const refused = (change: object, ctx = one.ctx) =>
      expect(openPayoutAccount(ctx, { ...command, ...change })).rejects.toMatchObject({ code: 'payout.signature_invalid' })
    await refused({}, publisher().ctx)
    await refused({ deadline: command.deadline - 1 })
    await refused(await accountCommand({ ctx: one.ctx, account: publisher().account }))
    const { typedData } = getPayoutAccountTerms(one.ctx)
    const [late, past] = [command.deadline + 2, command.deadline - 3_600]
    for (const deadline of [late, past]) {
      const message = { ...(typedData.message as object), deadline: BigInt(deadline) }
      await refused({ deadline, signature: await one.account.signTypedData({ ...typedData, message } as never) })
    }
    expect(await world.system.db.payoutAccount.count({ where: { ownerId: one.did } })).toBe(0)
    expect((await openPayoutAccount(one.ctx, command)).url).toContain('/onboard/')
    await refused({})
    world.clock.advance(1_000)
    expect((await openPayoutAccount(one.ctx, await accountCommand(one))).url).toContain('/onboard/')
    await refused({})
  })

  it('lets a share wait as a credit, pays it when the account is ready, and opens one account only', async () => {
    const goalId = await earned()
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await payoutsOf(goalId)).toEqual(['credited', 'credited', 'credited'])
    expect(await ledgerBalance(world, `credit:${publisher().address}`)).toBe(7_000_000n)
    const earnings = await getCardEarnings(world.system, publisher().did)
    expect(earnings).toMatchObject({ account: { state: 'none' }, waiting: 7_000_000n, paid: 0n, shares: [{ state: 'waiting' }] })
    expect(Math.round(((earnings.shares[0]?.claimBy?.getTime() ?? 0) - world.clock.now().getTime()) / 86_400_000)).toBe(claimDays)

    await Promise.allSettled([ask(), ask()])
    const { url } = await ask()
    expect(url).toContain('/onboard/')
    expect(world.double.context.state.accounts.filter((account) => account.metadata?.owner_id === publisher().did)).toHaveLength(1)
    expect((await getCardEarnings(world.system, publisher().did)).account).toMatchObject({ state: 'incomplete' })
    expect(movedFor(world, goalId).sentSum).toBe(0)

    await openAccount(world, publisher())
    expect((await getCardEarnings(world.system, publisher().did)).account).toEqual({ state: 'ready', requirements: [] })
    await drive(world)
    expect(movedFor(world, goalId).sentSum).toBe(700)
    expect(await payoutsOf(goalId)).toEqual(['paid', 'paid', 'credited'])
    expect(await ledgerBalance(world, `credit:${publisher().address}`)).toBe(0n)
    expect(await ledgerBalance(world, `payee:${publisher().address}`)).toBe(7_000_000n)
    const lines = await getGoalCashFlow(world.system, goalId)
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['funded', 10_250_000n],
      ['fee', -250_000n],
      ['payee', -7_000_000n],
      ['credit', -3_000_000n],
    ])
    const audit = await world.system.db.auditEntry.findMany({ where: { chain: `account:${publisher().did}` } })
    expect(audit.map((row) => row.action)).toEqual(['payout_account.open'])
  })

  it('lets a share wait again where Stripe no longer pays into the account', async () => {
    const goalId = await sealedGoal(world)
    const { accountId } = await world.system.db.payoutAccount.findUniqueOrThrow({ where: { ownerId: publisher().did } })
    world.double.webhookSender.setDelivery({ mode: 'never' })
    setAccountReady(world.double.context, accountId ?? '', false)
    world.double.webhookSender.setDelivery({ mode: 'once' })
    await capture(world, goalId, 0b011n)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await payoutsOf(goalId)).toEqual(['credited', 'credited', 'refunded'])
    setAccountReady(world.double.context, accountId ?? '', true)
    await settle(world)
    await drive(world)
    expect(await payoutsOf(goalId)).toEqual(['paid', 'paid', 'refunded'])
    expect(movedFor(world, goalId).sentSum).toBe(700)
  })

  it('gives a share that no one has claimed in time back to the client', async () => {
    const goalId = await earned(0b100n)
    expect(await payoutsOf(goalId)).toEqual(['refunded', 'refunded', 'credited'])
    const before = movedFor(world, goalId).refunded
    world.clock.advance(claimDays * 86_400_000 - 60_000)
    await drive(world)
    expect(movedFor(world, goalId).refunded).toBe(before)
    world.clock.advance(120_000)
    await drive(world)
    expect(movedFor(world, goalId)).toMatchObject({ refunded: before + 300, sentSum: 0 })
    expect(await payoutsOf(goalId)).toEqual(['refunded', 'refunded', 'refunded'])
    const shares = (await getCardEarnings(world.system, publisher(1).did)).shares.filter((share) => share.goalId === goalId)
    expect(shares).toMatchObject([{ state: 'lapsed' }])
  })

  it("notifies the publisher when its bank has refused Stripe's payout", async () => {
    const { accountId } = await world.system.db.payoutAccount.findUniqueOrThrow({ where: { ownerId: publisher().did } })
    world.double.webhookSender.notify('payout.failed', { object: 'payout', id: 'po_1' }, accountId ?? '')
    await settle(world)
    expect((await getCardEarnings(world.system, publisher().did)).account.requirements).toEqual([expect.stringContaining('bank')])
    world.double.webhookSender.notify('payout.paid', { object: 'payout', id: 'po_2' }, accountId ?? '')
    await settle(world)
    expect((await getCardEarnings(world.system, publisher().did)).account.requirements).toEqual([])
  })
})
