import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getHold, indexEvents, listPayouts, reconcile, runSettlementCycle } from '../../../../server/settlement/index.ts'
import { reindexFrom } from '../../../../server/settlement/indexer/reindex.ts'
import {
  approve,
  authorize,
  capture,
  createMoneyWorld,
  drive,
  handOver,
  ledgerBalance,
  lower,
  type MoneyWorld,
  open,
  sealedGoal,
  signCharter,
} from '../money-world.ts'
import { createPaperChain } from '../simulated-chain.ts'
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

const even = { onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] }

describe('rewindCursor', () => {
  it('books the settlement once where another transaction carries it after a rewrite deeper than the confirmations', async () => {
    await using world = await createMoneyWorld({ confirmations: 2 })
    const mine = () => world.rpc('anvil_mine', ['0x3'])
    const settled = async (work: () => Promise<unknown>) => {
      await work()
      for (let round = 0; round < 6; round++) {
        await runSettlementCycle(world.system)
        await world.mined()
        await mine()
      }
    }
    const goalId = await open(world)
    await settled(() => authorize(world, goalId))
    await settled(() => handOver(world, goalId))
    const before = await world.rpc('evm_snapshot')
    await settled(() => capture(world, goalId, 0b111n))
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    const row = await world.system.db.chainTransaction.findFirstOrThrow({ where: { purpose: 'settle' } })
    const payee = `payee:${world.payees[0]}`
    expect(await ledgerBalance(world, payee)).toBe(7_000_000n)

    await world.rpc('evm_revert', [before])
    await world.send(world.chain.keys[7] ?? '0x', { to: row.callTo as `0x${string}`, data: row.callData as `0x${string}` })
    await mine()
    await settled(async () => {})
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(7_000_000n)
    expect([await ledgerBalance(world, payee), await ledgerBalance(world, `escrow:${goalId}`)]).toEqual([7_000_000n, 0n])
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await reconcile(world.system)).toMatchObject(even)
    const keys = (await world.system.db.ledgerTransfer.findMany({ orderBy: { seq: 'asc' } })).map((one) => one.key)
    expect(keys).toEqual([`fund:${goalId}`, `settle:${goalId}:7`, `reverse:settle:${goalId}:7`, `settle:${goalId}:7#2`])

    const other = await open(world)
    await settled(() => authorize(world, other))
    expect((await getHold(world.system, other)).state).toBe('authorized')
  })

  it('reverts a settlement that never appears again, and settles again', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const before = await world.rpc('evm_snapshot')
    await capture(world, goalId, 0b011n)
    await drive(world)
    await world.rpc('evm_revert', [before])
    await world.rpc('anvil_mine', ['0x2'])
    await indexEvents(world.system)
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    const states = async () => (await listPayouts(world.system, { goalId })).map((payout) => payout.state)
    expect(await states()).toEqual(['paying', 'paying', 'sealed'])
    expect(await ledgerBalance(world, `escrow:${goalId}`)).toBe(10_250_000n)
    await drive(world)
    expect(await states()).toEqual(['paid', 'paid', 'refunded'])
    expect(await reconcile(world.system)).toMatchObject(even)
  })

  it('still sees a rewrite after a request to read the log again', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const before = await world.rpc('evm_snapshot')
    await capture(world, goalId, 0b011n)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    await world.rpc('evm_revert', [before])
    await world.rpc('anvil_mine', ['0x14'])
    await reindexFrom(world.system, 1)
    await indexEvents(world.system)
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    expect(await ledgerBalance(world, `escrow:${goalId}`)).toBe(10_250_000n)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await reconcile(world.system)).toMatchObject(even)
  })

  it('funds again with the same signature where a stranger had sent the funding first, in a block that was removed', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    const before = await world.rpc('evm_snapshot')
    const { rail } = world.system.ports
    const first = async (raw: `0x${string}`) => {
      const { callTo, callData } = await world.system.db.chainTransaction.findFirstOrThrow({ where: { purpose: 'fund' } })
      await world.send(world.chain.keys[7] ?? '0x', { to: callTo as `0x${string}`, data: callData as `0x${string}` })
      return rail.broadcast(raw)
    }
    await authorize(world, goalId)
    await drive(world, world.over({ ...rail, broadcast: first }))
    await drive(world)
    const fundings = async () =>
      (await world.system.db.chainTransaction.findMany({ where: { goalId, purpose: 'fund' }, orderBy: { attempt: 'asc' } })).map(
        ({ state }) => state,
      )
    expect([(await getHold(world.system, goalId)).state, await fundings()]).toEqual(['authorized', ['failed_final']])
    await world.rpc('evm_revert', [before])
    await world.rpc('anvil_mine', ['0x14'])
    const isFunded = async () => {
      await drive(world)
      return [(await getHold(world.system, goalId)).state, await fundings()]
    }
    await expect.poll(isFunded, { timeout: 20_000 }).toEqual(['authorized', ['failed_final', 'posted']])
    expect(await reconcile(world.system)).toMatchObject(even)
  })

  it('keeps what was to be paid where even the funding is gone for a while', async () => {
    await using world = await createMoneyWorld()
    const before = await world.rpc('evm_snapshot')
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await drive(world)
    await world.rpc('evm_revert', [before])
    await world.rpc('anvil_mine', ['0x2'])
    await indexEvents(world.system)
    expect((await getHold(world.system, goalId)).state).toBe('authorizing')
    expect(await ledgerBalance(world, `client:${lower(world.client.address)}`)).toBe(0n)
    // Transactions sent before the funding was mined again failed, and are retried after their delay.
    const isCaptured = async () => {
      await drive(world)
      return (await getHold(world.system, goalId)).state === 'captured'
    }
    await expect.poll(isCaptured).toBe(true)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured', charterVersion: 1 })
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
    expect(await reconcile(world.system)).toMatchObject(even)
  })

  it.each(['before', 'after'])(
    'keeps a team that the client approved and no one has brought on chain, concluded %s the rewrite',
    async (when) => {
      await using world = await createMoneyWorld()
      const before = await world.rpc('evm_snapshot')
      const goalId = await open(world)
      await authorize(world, goalId)
      await drive(world)
      await signCharter(world, goalId)
      await approve(world, goalId)
      expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', charterVersion: 1, sealedTx: null })
      if (when === 'before') await capture(world, goalId, 0b111n)
      await world.rpc('evm_revert', [before])
      await world.rpc('anvil_mine', ['0x2'])
      await indexEvents(world.system)
      expect((await getHold(world.system, goalId)).state).toBe('authorizing')
      await runSettlementCycle(world.system)
      await world.mined()
      await indexEvents(world.system)
      expect(await getHold(world.system, goalId)).toMatchObject({ charterVersion: 1 })
      if (when === 'after') await capture(world, goalId, 0b111n)
      await drive(world)
      expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured', charterVersion: 1 })
      expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
      expect(await reconcile(world.system)).toMatchObject(even)
    },
  )

  it('ends with the books of the canonical chain, for any rewritten blocks and depth', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 0n })
    const paper = createPaperChain(world)
    const ctx = world.over(paper.rail)
    const goals: SimulatedGoal[] = []
    const channels: SimulatedChannel[] = []
    let depth = 0
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('say' as const), which: fc.nat(5), choice: fc.nat(1_000) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), which: fc.nat(), choice: fc.nat() }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('rewrite' as const), which: fc.nat(), choice: fc.integer({ min: 1, max: 30 }) }),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const own = await Promise.all([createSimulatedGoal(world), createSimulatedGoal(world), createSimulatedGoal(world)])
        const lanes = await Promise.all([createSimulatedChannel(world), createSimulatedChannel(world), createSimulatedChannel(world)])
        goals.push(...own)
        channels.push(...lanes)
        // State after each block of this run.
        type Standing = { readonly goals: ReadonlyMap<string, OnChain>; readonly channels: ReadonlyMap<string, ChannelOnChain> }
        const standing: Standing[] = [{ goals: new Map(), channels: new Map() }]
        const now = (): Standing => standing.at(-1) ?? { goals: new Map(), channels: new Map() }
        for (const { kind, which, choice } of steps) {
          if (kind === 'read') await indexEvents(ctx)
          if (kind === 'rewrite') {
            const count = Math.min(choice, standing.length - 1)
            depth = Math.max(depth, count)
            paper.remove(count)
            standing.length -= count
            // The other branch is longer, as on every chain.
            for (let n = 0; n <= count; n++) {
              paper.append([])
              standing.push(now())
            }
          }
          if (kind !== 'say') continue
          const [goal, channel] = [own[which], lanes[which - 3]]
          const ofGoal = goal && nextOfGoal(world, goal, now().goals.get(goal.goalId) ?? notOnChain, choice)
          const ofChannel = channel && nextOfChannel(channel, now().channels.get(channel.id) ?? notOpened, choice)
          const next = ofGoal ?? ofChannel
          if (!next) continue
          paper.append([next.events])
          standing.push({
            goals: ofGoal && goal ? new Map([...now().goals, [goal.goalId, ofGoal.after]]) : now().goals,
            channels: ofChannel && channel ? new Map([...now().channels, [channel.id, ofChannel.after]]) : now().channels,
          })
        }
        paper.append([])
        await indexEvents(ctx)
        expect(await ledgerBalances(world)).toEqual(expectedBalances(paper.events(), goals, channels))
        for (const { goalId } of own)
          expect(await shownGoal(world, goalId)).toEqual(wantedGoal(goalId, now().goals.get(goalId) ?? notOnChain))
        for (const { id } of lanes) {
          const { state, claimed } = now().channels.get(id) ?? notOpened
          const row = await world.system.db.channel.findUniqueOrThrow({ where: { id } })
          expect([id, row.state, row.claimed]).toEqual([id, state, claimed])
        }
        expect(await world.system.db.chainDeadLetter.count()).toBe(0)
      }),
      { numRuns: 12 },
    )
    expect(depth).toBeGreaterThan(5)
  })

  it('takes back more than one database transaction holds', async () => {
    await using world = await createMoneyWorld({ usdc: 0n })
    const paper = createPaperChain(world)
    const ctx = world.over(paper.rail)
    const goal = await createSimulatedGoal(world)
    const stranger = (n: number) => ({
      contract: 'escrow' as const,
      name: 'PlanFunded',
      planId: `0x${n.toString(16).padStart(64, '0')}` as const,
      args: {},
    })
    const funded = nextOfGoal(world, goal, notOnChain, 0)
    paper.append([funded?.events ?? []])
    for (let n = 0; n < 450; n++) paper.append([[stranger(n)]])
    await indexEvents(ctx)
    expect((await getHold(ctx, goal.goalId)).state).toBe('authorized')
    paper.remove(451)
    for (let n = 0; n < 460; n++) paper.append([])
    await indexEvents(ctx)
    expect((await getHold(ctx, goal.goalId)).state).toBe('authorizing')
    expect([await world.system.db.chainLog.count(), await ledgerBalances(world)]).toEqual([0, {}])
  })
})

function wantedGoal(goalId: string, { stage, paid, how }: OnChain) {
  const outcome = (index: number) => ((paid >> index) & 1 ? 'paid' : stage === 'closed' ? 'refunded' : 'sealed')
  const isSealed = stage === 'sealed' || stage === 'closed'
  return { goalId, state: stage === 'none' ? 'authorizing' : how, payouts: isSealed ? [0, 1, 2].map(outcome) : [] }
}

async function shownGoal(world: MoneyWorld, goalId: string) {
  const hold = await getHold(world.system, goalId)
  const payouts = await world.system.db.payout.findMany({ where: { goalId }, orderBy: { step: 'asc' } })
  return { goalId, state: hold.state, payouts: payouts.map((payout) => payout.state) }
}
