import { parseTransaction } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { cancelTransaction, createEscrowRail, getHold, runSettlementCycle, submitSettlement } from '../../../../server/settlement/index.ts'
import { maxTransactionGas } from '../../../../server/settlement/rails/max-transaction-gas.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { type FalseNode, type Request, startFalseNode } from '../../../support/false-node.ts'
import { keySigners } from '../../../support/key-signers.ts'
import { approve, authorize, capture, createMoneyWorld, drive, type MoneyWorld, open, sealedGoal, signCharter } from '../money-world.ts'

/** A node that simulates every call but rejects transactions with a gas limit above `cap` (EIP-7825). */
function cappedNode(world: MoneyWorld, cap: bigint, refusal: (gas: bigint) => string): Promise<FalseNode> {
  return startFalseNode(world.chain.rpcUrl, ({ method, params }: Request) => {
    if (method !== 'eth_sendRawTransaction') return null
    const { gas = 0n } = parseTransaction(params[0] as `0x${string}`)
    return gas > cap ? { message: refusal(gas) } : null
  })
}

function over(world: MoneyWorld, { url }: FalseNode): Context {
  const { chainId, escrow, token, channels } = world.system.market
  const [settler = '0x', evaluator = '0x'] = world.chain.keys
  const signers = keySigners(settler, evaluator)
  const rail = createEscrowRail({ rpcUrl: url, chainId, escrow, token, channels, signers, confirmations: 0, replaceAfterMs: 1_000 })
  return world.over(rail)
}

const settlementOf = (world: MoneyWorld, goalId: string) =>
  world.system.db.chainTransaction.findFirstOrThrow({ where: { goalId, purpose: 'settle' }, orderBy: { attempt: 'asc' } })
const stateOf = async (world: MoneyWorld, goalId: string) => (await getHold(world.system, goalId)).state

async function rounds(world: MoneyWorld, ctx: Context, isOver: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 40 && !(await isOver()); round++) {
    world.clock.advance(2_000)
    await runSettlementCycle(ctx).catch(() => undefined)
    await world.mined()
  }
}

describe('a transaction that the node refuses for its gas limit', () => {
  // Below the gas limit of a settlement with three steps; above that of a funding and of a cancellation.
  const cap = 700_000n
  it.each([
    ['a verdict on the transaction', (gas: bigint) => `transaction gas limit too high (cap: ${cap}, tx: ${gas})`],
    ['a verdict of another node', () => 'exceeds block gas limit'],
    ['an answer that says nothing', () => 'daily request limit reached'],
  ])('loses its nonce, and keeps no other goal waiting: %s', { timeout: 240_000 }, async (_what, refusal) => {
    await using world = await createMoneyWorld()
    await using node = await cappedNode(world, cap, refusal)
    const [bad, good] = [await sealedGoal(world), await open(world)]
    const ctx = over(world, node)
    await capture(world, bad, 0b111n)
    await submitSettlement(ctx, bad)
    await authorize(world, good)
    await rounds(world, ctx, async () => (await stateOf(world, good)) === 'authorized')
    expect(await stateOf(world, good)).toBe('authorized')
    expect(await settlementOf(world, bad)).toMatchObject({ state: 'replaced', failure: expect.stringContaining('nonce') })
    await rounds(world, world.system, async () => (await stateOf(world, bad)) === 'captured')
    expect(await stateOf(world, bad)).toBe('captured')
  })

  it('keeps no other goal waiting either where the node does not answer its call', async () => {
    await using world = await createMoneyWorld()
    const [bad, good] = [await sealedGoal(world), await open(world)]
    await using node = await startFalseNode(world.chain.rpcUrl, ({ method, params }) => {
      const [call] = method === 'eth_call' ? (params as { gas?: `0x${string}` }[]) : []
      return BigInt(call?.gas ?? 0) > cap ? { message: 'daily request limit reached' } : null
    })
    const ctx = over(world, node)
    await capture(world, bad, 0b111n)
    await expectProblem(submitSettlement(ctx, bad), 'hold.chain_unavailable')
    await authorize(world, good)
    await rounds(world, ctx, async () => (await stateOf(world, good)) === 'authorized')
    expect(await stateOf(world, good)).toBe('authorized')
    expect(await settlementOf(world, bad)).toMatchObject({ state: 'rail_chosen', nonce: null })
  })

  it('is cancelled by an operator for any answer of the node', async () => {
    await using world = await createMoneyWorld()
    await using node = await cappedNode(world, cap, () => 'daily request limit reached')
    const goalId = await sealedGoal(world)
    const ctx = over(world, node)
    await capture(world, goalId, 0b111n)
    await submitSettlement(ctx, goalId)
    const { id } = await settlementOf(world, goalId)
    await cancelTransaction(world.system, { transaction_id: id })
    await runSettlementCycle(ctx)
    await world.mined()
    await runSettlementCycle(ctx)
    expect((await settlementOf(world, goalId)).state).toBe('replaced')
  })
})

describe('a node that enforces EIP-7825', () => {
  it('takes every batch of settlements', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n })
    const sent: bigint[] = []
    await using node = await cappedNode(world, maxTransactionGas, (gas) => {
      sent.push(gas)
      return 'transaction gas limit too high'
    })
    const goals: string[] = []
    for (let n = 0; n < 16; n++) goals.push(await open(world))
    for (const goalId of goals) await authorize(world, goalId)
    await drive(world)
    for (const goalId of goals) {
      await signCharter(world, goalId)
      await approve(world, goalId)
      await capture(world, goalId, 0b111n)
    }
    await drive(world, over(world, node))
    expect(sent).toEqual([])
    for (const goalId of goals) expect(await stateOf(world, goalId)).toBe('captured')
    const batches = await world.system.db.chainTransaction.findMany({ where: { purpose: 'settle', state: 'posted' } })
    expect(batches.map(({ callGas }) => callGas <= maxTransactionGas)).toEqual([true, true])
  })

  it('is sent no transaction that was written down above the cap', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { rail } = world.system.ports
    const above = {
      ...rail,
      encode: async (call: Parameters<typeof rail.encode>[0]) => ({ ...(await rail.encode(call)), gas: 2n ** 24n + 1n }),
    }
    await capture(world, goalId, 0b111n)
    await runSettlementCycle(world.over(above))
    expect(await settlementOf(world, goalId)).toMatchObject({ nonce: null, failure: expect.stringContaining('16777216') })
    world.clock.advance(10_000)
    await drive(world)
    expect(await stateOf(world, goalId)).toBe('captured')
  })
})
