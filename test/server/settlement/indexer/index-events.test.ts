import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EscrowEvent, EscrowRail } from '../../../../server/ports.ts'
import {
  getHold,
  indexEvents,
  listChainDeadLetters,
  reclaimHold,
  reconcile,
  retryChainDeadLetter,
  runSettlementCycle,
} from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { keySigners } from '../../../support/key-signers.ts'
import { authorize, capture, createMoneyWorld, drive, type MoneyWorld, open, sealedGoal } from '../money-world.ts'
import { createPaperChain, type SimulatedEvent, wallet } from '../simulated-chain.ts'
import {
  type ChannelOnChain,
  createSimulatedChannel,
  createSimulatedGoal,
  expectedBalances,
  ledgerBalances,
  nextOfChannel,
  nextOfGoal,
  notOnChain,
  notOpened,
  type OnChain,
  type SimulatedChannel,
  type SimulatedGoal,
} from '../simulated-goals.ts'

/** The same rail with modified events. */
const changing = (rail: EscrowRail, change: (event: EscrowEvent) => EscrowEvent): EscrowRail => ({
  ...rail,
  readEvents: async (from, to) => (await rail.readEvents(from, to)).map(change),
})
const operator = (world: MoneyWorld) => ({
  ...world.as({ ...world.person(world.client), isOperator: true } as ReturnType<MoneyWorld['person']>),
})

async function cursorOf(world: MoneyWorld): Promise<number> {
  return (await world.system.db.chainCursor.findFirstOrThrow()).block
}

describe('an event group that cannot be booked', () => {
  let world: MoneyWorld
  beforeAll(async () => {
    world = await createMoneyWorld({ usdc: 5_000_000_000n })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const faults: [string, (event: EscrowEvent) => EscrowEvent][] = [
    ['amount that is none', (event) => ({ ...event, args: { ...event.args, amount: 'much' } })],
    ['more money than the plan holds', (event) => ({ ...event, args: { ...event.args, amount: '99000000' } })],
    ['a payment that no event explains', (event) => (event.name === 'Paid' ? event : { ...event, name: 'SignerSet' })],
    ['a log that the database does not take', (event) => ({ ...event, args: { ...event.args, note: '\u0000' } })],
  ]
  it.each(faults)('becomes a dead letter, and all other money flows on: %s', async (_what, corruptCall) => {
    const [bad, good] = [await sealedGoal(world), await sealedGoal(world)]
    const { planId } = await world.system.db.hold.findUniqueOrThrow({ where: { goalId: bad } })
    const settling = new Set(['StepsSettled', 'Paid', 'PlanClosed', 'FeeCredited', 'Refunded'])
    const { rail } = world.system.ports
    const spoilt = world.over(changing(rail, (event) => (event.planId === planId && settling.has(event.name) ? corruptCall(event) : event)))
    await capture(world, bad, 0b111n)
    await capture(world, good, 0b111n)
    await drive(world, spoilt)
    await indexEvents(spoilt)
    expect(await cursorOf(world)).toBe((await rail.head()).number)
    expect([(await getHold(world.system, bad)).state, (await getHold(world.system, good)).state]).toEqual(['capturing', 'captured'])
    const [letter, ...others] = (await listChainDeadLetters(world.system)).filter((one) => one.goalId === bad)
    expect(others).toEqual([])
    expect(letter).toMatchObject({ goalId: bad, channelId: null, attempts: 1, txHash: expect.stringMatching(/^0x/) })
    expect(letter?.error).not.toBe('')
    const evidence = letter?.events as unknown as { events: EscrowEvent[] }
    expect(evidence.events.length).toBeGreaterThan(0)
    expect(evidence.events[0]?.raw?.topics.length).toBeGreaterThan(0)
    // Others pay, open and close as before.
    const fresh = await open(world)
    await authorize(world, fresh)
    await drive(world, spoilt)
    expect((await getHold(world.system, fresh)).state).toBe('authorized')
  })

  it('freezes its goal: the server sends nothing more for it, until an operator has it booked', async () => {
    const { db } = world.system
    const goalId = await open(world)
    // The cause is in the database and disappears later, like a bug that is fixed.
    await db.$executeRawUnsafe(
      `create function refuse_one() returns trigger as $$ begin raise exception 'planted'; end $$ language plpgsql`,
    )
    const name = `refuse_${goalId}`
    await db.$executeRawUnsafe(
      `create trigger "${name}" before update on hold for each row when (new."goalId" = '${goalId}' and new.state = 'authorized') execute function refuse_one()`,
    )
    await authorize(world, goalId)
    for (let round = 0; round < 4; round++) await runSettlementCycle(world.system)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorizing', frozenSince: expect.any(Date) })
    const sent = await db.chainTransaction.count({ where: { goalId } })
    const person = world.as(world.person(world.client))
    const [letter] = (await listChainDeadLetters(world.system)).filter((one) => one.goalId === goalId)
    const id = letter?.id ?? ''
    expect(letter?.error).toContain('planted')
    await expectProblem(reclaimHold(person, { type: 'hold.reclaim', goal_id: goalId }), 'hold.frozen')

    await expectProblem(retryChainDeadLetter(person, { id }), 'permission.denied')
    await expectProblem(retryChainDeadLetter(operator(world), { id: 'none' }), 'dead_letter.not_found')
    expect(await retryChainDeadLetter(operator(world), { id })).toMatchObject({
      state: 'open',
      booked: 0,
      error: expect.stringContaining('planted'),
    })
    await db.$executeRawUnsafe(`drop trigger "${name}" on hold`)
    expect(await retryChainDeadLetter(operator(world), { id })).toEqual({ id, state: 'booked', booked: 1, error: null })
    await expectProblem(retryChainDeadLetter(operator(world), { id }), 'dead_letter.wrong_state')
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', frozenSince: null })
    expect(await db.chainTransaction.count({ where: { goalId } })).toBe(sent)
    const audited = await db.auditEntry.findMany({
      where: { chain: `hold:${goalId}`, action: { startsWith: 'dead-letter' } },
      orderBy: { n: 'asc' },
    })
    expect(audited.map((one) => one.action)).toEqual(['dead-letter.add', 'dead-letter.retry', 'dead-letter.retry'])
  })

  it('is none where the database or the node is at fault: nothing is booked, and the next round books all', async () => {
    const { db } = world.system
    const goalId = await open(world)
    await authorize(world, goalId)
    await db.$executeRawUnsafe(
      `create function collide() returns trigger as $$ begin raise exception 'met another' using errcode = '40001'; end $$ language plpgsql`,
    )
    await db.$executeRawUnsafe(
      `create trigger collide_once before update on hold for each row when (new."goalId" = '${goalId}' and new.state = 'authorized') execute function collide()`,
    )
    const before = await cursorOf(world)
    await runSettlementCycle(world.system).catch(() => {})
    await world.mined()
    await expect(indexEvents(world.system)).rejects.toThrow()
    expect(await cursorOf(world)).toBe(before)
    expect((await listChainDeadLetters(world.system)).filter((one) => one.goalId === goalId)).toEqual([])
    await db.$executeRawUnsafe('drop trigger collide_once on hold')
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
  })
})

describe('readChain', () => {
  it('books random groups of goals and channels as the log has them, whichever of them cannot be booked', {
    timeout: 900_000,
  }, async () => {
    await using world = await createMoneyWorld({ usdc: 0n })
    const paper = createPaperChain(world)
    const ctx = world.over(paper.rail)
    const goals: SimulatedGoal[] = []
    const channels: SimulatedChannel[] = []
    const spoiltIds = new Set<string>()
    const step = fc.record({ which: fc.nat(7), choice: fc.nat(1_000), spoils: fc.integer({ min: 0, max: 9 }).map((n) => n === 0) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const own = await Promise.all([
          createSimulatedGoal(world),
          createSimulatedGoal(world),
          createSimulatedGoal(world),
          createSimulatedGoal(world),
        ])
        const lanes = await Promise.all([
          createSimulatedChannel(world),
          createSimulatedChannel(world),
          createSimulatedChannel(world),
          createSimulatedChannel(world),
        ])
        goals.push(...own)
        channels.push(...lanes)
        const ofGoal = new Map<SimulatedGoal, OnChain>(own.map((one) => [one, notOnChain]))
        const ofChannel = new Map<SimulatedChannel, ChannelOnChain>(lanes.map((one) => [one, notOpened]))
        let transactions: SimulatedEvent[][] = []
        for (const { which, choice, spoils } of steps) {
          const goal = own[which]
          const channel = lanes[which - 4]
          const next = goal
            ? nextOfGoal(world, goal, ofGoal.get(goal) ?? notOnChain, choice)
            : channel && nextOfChannel(channel, ofChannel.get(channel) ?? notOpened, choice)
          if (!next) continue
          if (goal) ofGoal.set(goal, next.after as OnChain)
          if (channel) ofChannel.set(channel, next.after as ChannelOnChain)
          const name = goal?.planId ?? channel?.id ?? ''
          if (spoils) spoiltIds.add(name)
          const events = spoils ? next.events.map((event) => ({ ...event, args: corruptCall(event.args) })) : next.events
          // One transaction may concern several subjects. A failure of one must not affect the others.
          if (choice % 2 === 0 && transactions.length > 0) transactions.at(-1)?.push(...events)
          else transactions.push([...events])
          if (choice % 5 === 0) {
            paper.append(transactions)
            transactions = []
          }
        }
        paper.append(transactions)
        await indexEvents(ctx)
        expect(await cursorOf(world)).toBe(paper.height)
        const isGood = (name: string) => !spoiltIds.has(name)
        const good = paper.events().filter((event) => isGood(event.planId ?? event.channelId ?? ''))
        const shown = await ledgerBalances(world)
        const expected = expectedBalances(
          withoutStrayCredits(paper.events(), isGood),
          goals.filter((goal) => isGood(goal.planId)),
          channels.filter((channel) => isGood(channel.id)),
        )
        // Frozen subjects keep their earlier events; accounts of all others match the log.
        for (const goal of goals.filter((one) => isGood(one.planId))) {
          for (const account of [`escrow:${goal.goalId}`, ...goal.payees.map((payee) => `payee:${payee}`)])
            expect([account, shown[account] ?? 0n]).toEqual([account, expected[account] ?? 0n])
        }
        for (const { id, payer, receiver } of channels.filter((one) => isGood(one.id))) {
          for (const account of [`channel:${id}`, `client:${payer}`, `payee:${receiver}`, `channel-credit:${receiver}`])
            expect([account, shown[account] ?? 0n]).toEqual([account, expected[account] ?? 0n])
        }
        expect(good.length).toBeLessThanOrEqual(paper.events().length)
      }),
      { numRuns: 8 },
    )
    expect(spoiltIds.size).toBeGreaterThan(0)
    const letters = await listChainDeadLetters(world.system)
    expect(letters.length).toBeGreaterThan(0)
  })

  it('books what our own channels were refused, in one transaction with channels of others', async () => {
    await using world = await createMoneyWorld({ usdc: 0n })
    const paper = createPaperChain(world)
    const channel = await createSimulatedChannel(world)
    const theirs = `0x${'e'.repeat(64)}` as const
    const claim = (channelId: `0x${string}`, totalClaimed: string): SimulatedEvent => ({
      contract: 'channels',
      name: 'Claimed',
      channelId,
      args: { totalClaimed },
    })
    const opened = (channelId: `0x${string}`): SimulatedEvent => ({
      contract: 'channels',
      name: 'ChannelOpened',
      channelId,
      args: { deposit: '100' },
    })
    const credited: SimulatedEvent = { contract: 'channels', name: 'Credited', args: { account: channel.receiver, amount: '30' } }
    const withdrawn: SimulatedEvent = {
      contract: 'channels',
      name: 'CreditWithdrawn',
      args: { account: channel.receiver, to: wallet(), amount: '30' },
    }
    paper.append([[opened(channel.id)], [opened(theirs)], [claim(theirs, '10')]])
    paper.append([[claim(channel.id, '10'), claim(theirs, '30'), credited]])
    await indexEvents(world.over(paper.rail))
    expect(await ledgerBalances(world)).toMatchObject({ [`channel:${channel.id}`]: 90n, [`channel-credit:${channel.receiver}`]: 10n })
    paper.append([[withdrawn], [withdrawn]])
    await indexEvents(world.over(paper.rail))
    expect((await ledgerBalances(world))[`channel-credit:${channel.receiver}`]).toBeUndefined()
    expect(
      (
        await reconcile(
          world.over({ ...paper.rail, channel: async () => ({ status: 1, deposit: 100n, claimed: 10n, closeRequestedAt: 0 }) }),
        )
      ).differing,
    ).toEqual([])
  })

  it('asks a node for fewer blocks where it does not answer for many, and splits what is too much for one transaction', async () => {
    await using world = await createMoneyWorld({ usdc: 0n })
    const paper = createPaperChain(world)
    const asked: number[] = []
    const narrow: EscrowRail = {
      ...paper.rail,
      readEvents: async (from, to) => {
        asked.push(to - from + 1)
        if (to - from >= 50) throw Object.assign(await chainAway(world), {})
        return paper.rail.readEvents(from, to)
      },
    }
    const goal = await createSimulatedGoal(world)
    paper.append([[{ contract: 'escrow', name: 'PlanFunded', planId: goal.planId, args: { client: wallet(), total: '10250000' } }]])
    for (let n = 0; n < 400; n++)
      paper.append([[{ contract: 'escrow', name: 'PlanFunded', planId: `0x${n.toString(16).padStart(64, '0')}`, args: {} }]])
    await indexEvents(world.over(narrow))
    expect(await cursorOf(world)).toBe(paper.height)
    expect((await getHold(world.system, goal.goalId)).state).toBe('authorized')
    expect(Math.max(...asked)).toBeGreaterThan(50)
    expect(await world.system.db.chainLog.count()).toBe(401)
  })
})

function corruptCall(args: EscrowEvent['args']): EscrowEvent['args'] {
  return Object.fromEntries(Object.keys(args).map((name) => [name, 'spoilt']))
}

/** Credits name no channel. Those after an event of a corrupted channel belong to it. */
function withoutStrayCredits(events: readonly EscrowEvent[], isGood: (name: string) => boolean): EscrowEvent[] {
  let isLastGood = true
  return events.filter((event) => {
    if (event.channelId !== null) isLastGood = isGood(event.channelId)
    return event.name !== 'Credited' || event.contract !== 'channels' || isLastGood
  })
}

/** The error of an unreachable node. */
async function chainAway(world: MoneyWorld): Promise<Error> {
  const { createEscrowRail } = await import('../../../../server/settlement/index.ts')
  const { chain, system } = world
  const nowhere = createEscrowRail({
    rpcUrl: 'http://127.0.0.1:1',
    chainId: chain.chainId,
    escrow: system.market.escrow,
    token: system.market.token,
    signers: keySigners(chain.keys[0] ?? '0x', chain.keys[1] ?? '0x'),
    confirmations: 0,
    timeoutMs: 50,
  })
  return nowhere.head().then(
    () => new Error('it answered'),
    (error: unknown) => error as Error,
  )
}
