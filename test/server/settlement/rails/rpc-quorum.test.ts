import { toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { listAlarms, raiseAlarm } from '../../../../server/settlement/alarms/operator-alarms.ts'
import { createEscrowRail, getHold, runSettlementCycle } from '../../../../server/settlement/index.ts'
import { type JsonRpcCall, requireRpcQuorum } from '../../../../server/settlement/rails/rpc-quorum.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { type Lie, startFalseNode } from '../../../support/false-node.ts'
import { keySigners } from '../../../support/key-signers.ts'
import { authorize, capture, createMoneyWorld, drive, handOver, type MoneyWorld, open, sealedGoal } from '../money-world.ts'

/** The server of the world with a second node that can lie. */
async function twoNodes(world: MoneyWorld, timeoutMs = 5_000) {
  const node = await startFalseNode(world.chain.rpcUrl)
  const { chainId, escrow, token, channels } = world.system.market
  const [settler = '0x', evaluator = '0x'] = world.chain.keys
  const signers = keySigners(settler, evaluator)
  const where = { rpcUrl: world.chain.rpcUrl, confirmingRpcUrl: node.url, chainId, escrow, token, channels }
  const rail = createEscrowRail({ ...where, signers, confirmations: 0, timeoutMs })
  return { node, rail, ctx: world.over(rail), [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() }
}
const flip = (hash: unknown) => `0x${'9'.repeat(String(hash).length - 2)}`

describe('agreeingNodes', () => {
  it('settles a goal where both nodes answer the same', async () => {
    await using world = await createMoneyWorld()
    await using two = await twoNodes(world)
    const goalId = await open(world)
    await authorize(world, goalId)
    await drive(world, two.ctx)
    await handOver(world, goalId)
    await drive(world, two.ctx)
    await capture(world, goalId, 0b111n)
    await drive(world, two.ctx)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await listAlarms(world.system)).toEqual([])
  })

  it.each<[string, Lie]>([
    [
      'tells of logs that nobody wrote',
      ({ method }) => (method === 'eth_getLogs' ? [{ address: '0x1', topics: [], data: '0x' }] : undefined),
    ],
    [
      'has another block',
      ({ method }, truth) => (method === 'eth_getBlockByNumber' ? { ...(truth as object), hash: flip(`0x${'0'.repeat(64)}`) } : undefined),
    ],
    ['tells of more money', ({ method }) => (method === 'eth_call' ? toHex(2n ** 255n, { size: 192 }) : undefined)],
    ['has everything refused', ({ method }) => (method === 'eth_call' ? '0x' : undefined)],
    ['counts other nonces', ({ method }) => (method === 'eth_getTransactionCount' ? '0x2710' : undefined)],
    ['gives the settler more ether', ({ method }) => (method === 'eth_getBalance' ? '0x1' : undefined)],
  ])('moves nothing while one of them %s, alerts an operator, and continues when it no longer does', async (_what, lie) => {
    await using world = await createMoneyWorld()
    await using two = await twoNodes(world)
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    two.node.lie(lie)
    const sent = await world.system.db.signedTransaction.count()
    for (let round = 0; round < 3; round++) {
      await world.rpc('evm_mine')
      await runSettlementCycle(two.ctx).catch(() => undefined)
    }
    expect(await listAlarms(world.system)).toMatchObject([{ kind: 'nodes_disagree' }])
    expect([(await getHold(world.system, goalId)).state, await world.balance(world.payees[0] ?? '0x')]).toEqual(['capturing', 0n])
    expect(await world.system.db.signedTransaction.count()).toBe(sent)
    two.node.lie(null)
    await drive(world, two.ctx)
    await runSettlementCycle(two.ctx)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await listAlarms(world.system)).toEqual([])
  })

  it('ends the alarm also where a process with a clock of the future raised it', async () => {
    await using world = await createMoneyWorld()
    await using two = await twoNodes(world)
    await raiseAlarm(world.system, { kind: 'nodes_disagree', subject: '', facts: {} })
    await world.system.db.chainAlarm.updateMany({ data: { lastAt: new Date(world.clock.now().getTime() + 3_600_000) } })
    await runSettlementCycle(two.ctx)
    expect(await listAlarms(world.system)).toEqual([])
  })

  it('does not take one node for mined what the other has not seen, nor a receipt that differs', async () => {
    await using world = await createMoneyWorld()
    await using two = await twoNodes(world)
    const goalId = await sealedGoal(world)
    const [seal] = await world.system.db.chainTransaction.findMany({ where: { goalId, purpose: 'seal' } })
    const hash = (seal?.hash ?? '0x') as `0x${string}`
    expect(await two.rail.receipt(hash)).toMatchObject({ succeeded: true })
    const head = await two.rail.head()
    expect((await two.rail.readEvents(0, head.number)).length).toBeGreaterThan(1)
    two.node.lie(({ method }) => (method === 'eth_getLogs' ? [] : undefined))
    await expectProblem(two.rail.readEvents(0, head.number), 'hold.chain_inconsistent')
    two.node.lie(({ method }) => (method === 'eth_getTransactionReceipt' ? null : undefined))
    expect(await two.rail.receipt(hash)).toBeNull()
    two.node.lie(({ method }, truth) => (method === 'eth_getTransactionReceipt' ? { ...(truth as object), status: '0x0' } : undefined))
    await expectProblem(two.rail.receipt(hash), 'hold.chain_inconsistent')
  })

  it('waits for a node that is a block behind, and for one that hangs no longer than for any', async () => {
    await using world = await createMoneyWorld()
    await using two = await twoNodes(world, 200)
    const goalId = await sealedGoal(world)
    const head = await world.system.ports.rail.head()
    await world.rpc('evm_mine')
    const behind: Lie = ({ method, params }) => {
      if (method === 'eth_blockNumber') return toHex(head.number)
      if (method !== 'eth_getBlockByNumber') return undefined
      if (params[0] === 'latest') return { number: toHex(head.number), hash: head.hash, timestamp: toHex(head.timestamp) }
      return Number(params[0]) > head.number ? null : undefined
    }
    two.node.lie(behind)
    expect(await two.rail.head()).toMatchObject({ number: head.number, hash: head.hash })
    expect(await two.rail.blockHash(head.number + 1)).toBeNull()
    const hold = await world.system.db.hold.findUniqueOrThrow({ where: { goalId } })
    expect(await two.rail.plan(hold.planId as `0x${string}`)).toMatchObject({ status: 1 })
    two.node.lie(() => 'hang')
    await expectProblem(two.rail.head(), 'hold.chain_unavailable')
  })

  it('believes no refusal that only one of them reports, and sends to both', async () => {
    const refused = Object.assign(new Error('execution reverted'), { code: 3, data: '0x12345678' })
    const node =
      (answers: { readonly [method: string]: unknown }): JsonRpcCall =>
      async ({ method }) => {
        const answer = answers[method]
        if (answer instanceof Error) throw answer
        return answer
      }
    const call = { method: 'eth_call', params: [{}, '0x1'] }
    await expectProblem(
      requireRpcQuorum(node({ eth_call: refused }), node({ eth_call: '0x01' }))(call) as Promise<unknown>,
      'hold.chain_inconsistent',
    )
    await expect(requireRpcQuorum(node({ eth_call: refused }), node({ eth_call: refused }))(call)).rejects.toBe(refused)
    const away = new Error('fetch failed')
    await expect(requireRpcQuorum(node({ eth_call: refused }), node({ eth_call: away }))(call)).rejects.toBe(away)
    await expect(requireRpcQuorum(node({ eth_call: '0x01' }), node({ eth_call: away }))(call)).rejects.toBe(away)
    const sent: string[] = []
    const taker =
      (name: string, answer: unknown): JsonRpcCall =>
      async () => {
        sent.push(name)
        if (answer instanceof Error) throw answer
        return answer
      }
    const send = { method: 'eth_sendRawTransaction', params: ['0x02'] }
    expect(await requireRpcQuorum(taker('one', away), taker('other', '0xhash'))(send)).toBe('0xhash')
    expect(sent).toEqual(['one', 'other'])
    // A node that asks for an excessive tip: the other node's lower tip counts.
    const tips = requireRpcQuorum(node({ eth_maxPriorityFeePerGas: '0xffffffff' }), node({ eth_maxPriorityFeePerGas: '0x1' }))
    expect(await tips({ method: 'eth_maxPriorityFeePerGas' })).toBe('0x1')
  })
})
