import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testUsdcAbi } from '../../../../contracts/abi/index.ts'
import type { EscrowRail } from '../../../../server/ports.ts'
import { authorizeHold, getHold, submitFunding } from '../../../../server/settlement/index.ts'
import { mintTestMoney } from '../../../support/test-money.ts'
import { createMoneyWorld, drive, eventsOf, lower, type MoneyWorld, open, sign } from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const asClient = () => world.as(world.person(world.client))
const send = (goalId: string, signature: string, ctx = asClient()) =>
  authorizeHold(ctx, { type: 'hold.authorize', goal_id: goalId, signature })

describe('submitFunding', () => {
  it('fails with a sentence where the money has gone meanwhile, and succeeds when the client signs again', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    const address = lower(poor.address)
    await mintTestMoney(world.chain, address, 10_250_000n)
    await world.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
    const goalId = await open(world, { client: address })
    const ctx = world.as(world.person(poor))
    await send(goalId, await sign(world, goalId, poor), ctx)
    await spend(poor, 1n)
    await submitFunding(world.system, goalId)
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'failed', failure: expect.stringContaining('is too low') })
    expect(await eventsOf(world, goalId)).toEqual(['hold.authorizing', 'hold.failed'])
    await submitFunding(world.system, goalId)
    await drive(world)

    await mintTestMoney(world.chain, address, 1n)
    await send(goalId, await sign(world, goalId, poor), ctx)
    await submitFunding(world.system, goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
  })

  it('fails where the chain takes the funding back, and lets the client sign once more', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    const address = lower(poor.address)
    await mintTestMoney(world.chain, address, 10_250_000n)
    await world.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
    const goalId = await open(world, { client: address })
    const ctx = world.as(world.person(poor))
    await send(goalId, await sign(world, goalId, poor), ctx)
    // The money leaves after the transaction was stored and before it is broadcast.
    const { rail } = world.system.ports
    const slow: EscrowRail = {
      ...rail,
      broadcast: async (raw) => {
        await spend(poor, 1n)
        return rail.broadcast(raw)
      },
    }
    await submitFunding(world.over(slow), goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('failed')
    await mintTestMoney(world.chain, address, 1n)
    await send(goalId, await sign(world, goalId, poor), ctx)
    await submitFunding(world.system, goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    const rows = await world.system.db.chainTransaction.findMany({ where: { goalId }, orderBy: { nonce: 'asc' } })
    expect(rows.map(({ key, state }) => [key, state])).toEqual([
      [`fund:${goalId}`, 'failed_final'],
      [`fund:${goalId}#2`, 'posted'],
    ])
  })
})

const chainOf = () =>
  defineChain({
    id: world.chain.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [world.chain.rpcUrl] } },
  })

async function spend(account: ReturnType<typeof privateKeyToAccount>, amount: bigint): Promise<void> {
  const chain = chainOf()
  const wallet = createWalletClient({ account, chain, transport: http() })
  const hash = await wallet.writeContract({
    address: world.chain.token,
    abi: testUsdcAbi,
    functionName: 'transfer',
    args: [world.payees[2] ?? '0x', amount],
  })
  await createPublicClient({ chain, transport: http(), pollingInterval: 20 }).waitForTransactionReceipt({ hash })
}
