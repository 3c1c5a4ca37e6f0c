import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testWalletAbi, testWalletBytecode } from '../../../../contracts/abi/mocks.ts'
import { inTransaction } from '../../../../server/db.ts'
import { authorizeHold, getFundingTerms, getHold, voidHold } from '../../../../server/settlement/index.ts'
import { mintTestMoney } from '../../../support/test-money.ts'
import { authorize, conclusionHash, createMoneyWorld, drive, eventsOf, lower, type MoneyWorld, open, sign } from '../money-world.ts'

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

describe('authorizeHold', () => {
  it('refuses everyone but the client', async () => {
    const goalId = await open(world)
    const signature = await sign(world, goalId)
    const stranger = world.person(privateKeyToAccount(generatePrivateKey()))
    const agent = { kind: 'agent', did: world.system.market.serverDid, agentId: 'agt_1', ownerDid: 'x', hasKey: true } as const
    await expect(send(goalId, signature, world.as({ kind: 'anonymous' }))).rejects.toMatchObject({ code: 'auth.required' })
    await expect(send(goalId, signature, world.as(agent))).rejects.toMatchObject({ code: 'permission.denied' })
    await expect(send(goalId, signature, world.as(stranger))).rejects.toMatchObject({ code: 'permission.denied' })
    expect(await eventsOf(world, goalId)).toEqual([])
    expect((await getHold(world.system, goalId)).isSigned).toBe(false)
  })

  it('refuses a signature of another wallet, over another hold, or past its validity', async () => {
    const [goalId, otherId] = [await open(world, { workSeconds: 9 * 3_600 }), await open(world)]
    const stranger = privateKeyToAccount(generatePrivateKey())
    await expect(send(goalId, await sign(world, goalId, stranger))).rejects.toMatchObject({ code: 'hold.signature_invalid' })
    await expect(send(goalId, await sign(world, otherId))).rejects.toMatchObject({ code: 'hold.signature_invalid' })
    const old = await sign(world, goalId)
    world.clock.advance(2 * 3_600_000)
    await expect(send(goalId, old)).rejects.toMatchObject({ code: 'hold.signature_invalid' })
    world.clock.advance(-2 * 3_600_000)
  })

  it('refuses a wallet that holds less than the total, and reports both numbers', async () => {
    const goalId = await open(world, { total: 2_000_000_000n })
    const balance = (await world.balance(lower(world.client.address))).toString()
    await expect(send(goalId, await sign(world, goalId))).rejects.toMatchObject({
      code: 'hold.insufficient_funds',
      facts: { balance, total: '2000000000' },
    })
  })

  it('pays the gas of so many goals of one wallet within a day, and of others besides', async () => {
    const client = asClient()
    const max = await client.db.auditEntry.count({ where: { action: 'hold.authorize' } })
    const few = { ...client, market: { ...client.market, fundingsPerDay: max + 1 } }
    const [first, second] = [await open(world), await open(world)]
    const signature = await sign(world, first)
    await send(first, signature, few)
    await send(first, signature, few)
    await expect(send(second, await sign(world, second), few)).rejects.toMatchObject({ code: 'rate.exceeded' })
    world.clock.advance(86_400_000)
    const third = await open(world)
    await send(third, await sign(world, third), few)
    world.clock.advance(-86_400_000)
  })

  it('refuses a goal that it does not know, whose deadline has passed, or that was settled', async () => {
    await expect(send('gol_00000000000000000000000000000000', `0x${'1'.repeat(130)}`)).rejects.toMatchObject({ code: 'hold.not_found' })
    const late = await open(world, { workSeconds: 60 })
    const signature = await sign(world, late)
    world.clock.advance(61_000)
    await expect(send(late, signature)).rejects.toMatchObject({ code: 'hold.wrong_state' })
    await expect(getFundingTerms(world.system, late)).rejects.toMatchObject({ code: 'hold.wrong_state' })
    world.clock.advance(-61_000)

    const voided = await open(world)
    const good = await sign(world, voided)
    await authorize(world, voided)
    await drive(world)
    await inTransaction(world.system, (tx) => voidHold(tx, { goalId: voided, conclusionHash }))
    await drive(world)
    await expect(send(voided, good)).rejects.toMatchObject({ code: 'hold.wrong_state', facts: { state: 'voided' } })
  })

  it('writes one audit row and one event, however often it comes', async () => {
    const goalId = await open(world)
    const signature = await sign(world, goalId)
    await Promise.all([send(goalId, signature), send(goalId, signature), send(goalId, signature)])
    expect(await send(goalId, signature)).toEqual({ goal_id: goalId, state: 'authorizing' })
    const audit = await world.system.db.auditEntry.findMany({ where: { chain: `hold:${goalId}` }, orderBy: { n: 'asc' } })
    expect(audit.map(({ action, actor }) => [action, actor.startsWith('did:pkh:')])).toEqual([
      ['hold.open', false],
      ['hold.authorize', true],
    ])
    expect(await eventsOf(world, goalId)).toEqual(['hold.authorizing'])
    await drive(world)
    expect(await send(goalId, signature)).toEqual({ goal_id: goalId, state: 'authorized' })
    expect(await eventsOf(world, goalId)).toEqual(['hold.authorizing', 'hold.authorized'])
  })

  it('takes a signature that was read in the hour before', async () => {
    const goalId = await open(world, { workSeconds: 5 * 3_600 })
    const signature = await sign(world, goalId)
    world.clock.advance(3_500_000)
    expect(await send(goalId, signature)).toEqual({ goal_id: goalId, state: 'authorizing' })
    world.clock.advance(-3_500_000)
  })

  it('takes the signature of a contract wallet', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = await deployWallet(owner.address)
    await mintTestMoney(world.chain, wallet, 20_000_000n)
    const goalId = await open(world, { client: wallet })
    const ctx = world.as({ kind: 'person', did: `did:pkh:eip155:31337:${wallet}`, address: wallet, isOperator: false })
    const stranger = await sign(world, goalId, privateKeyToAccount(generatePrivateKey()))
    await expect(send(goalId, stranger, ctx)).rejects.toMatchObject({ code: 'hold.signature_invalid' })
    await send(goalId, await sign(world, goalId, owner), ctx)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    expect(await world.balance(wallet)).toBe(9_750_000n)
  })
})

const chainOf = () =>
  defineChain({
    id: world.chain.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [world.chain.rpcUrl] } },
  })

async function deployWallet(owner: `0x${string}`): Promise<`0x${string}`> {
  const chain = chainOf()
  const wallet = createWalletClient({ account: privateKeyToAccount(world.chain.keys[7] ?? '0x'), chain, transport: http() })
  const hash = await wallet.deployContract({ abi: testWalletAbi, bytecode: testWalletBytecode, args: [owner] })
  const receipt = await createPublicClient({ chain, transport: http(), pollingInterval: 20 }).waitForTransactionReceipt({ hash })
  return lower(receipt.contractAddress ?? '0x')
}
