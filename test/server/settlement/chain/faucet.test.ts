import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faucet, getChainTransaction } from '../../../../server/settlement/index.ts'
import { createMoneyWorld, drive, lower, type MoneyWorld } from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld({ usdc: 0n })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const wallet = () => privateKeyToAccount(generatePrivateKey())

describe('faucet', () => {
  it('refuses strangers, agents, and every chain that has value', async () => {
    const account = wallet()
    const address = lower(account.address)
    const person = world.as(world.person(account))
    const agent = { kind: 'agent', did: world.system.market.serverDid, agentId: 'agt_1', ownerDid: 'x', hasKey: true } as const
    for (const ctx of [world.as({ kind: 'anonymous' }), world.as(agent), { ...person, market: { ...person.market, isLocalChain: false } }])
      await expect(faucet(ctx, address, 1n)).rejects.toMatchObject({ code: 'permission.denied' })
    await expect(faucet(person, address, 1_000_000_001n)).rejects.toMatchObject({ code: 'request.malformed' })
    await expect(faucet(person, address, 0n)).rejects.toMatchObject({ code: 'request.malformed' })
    expect(await world.balance(address)).toBe(0n)
  })

  it('gives test money and gas once a day', async () => {
    const account = wallet()
    const address = lower(account.address)
    const ctx = world.as(world.person(account))
    const [first, second] = await Promise.all([faucet(ctx, address, 1_000_000_000n), faucet(ctx, address, 1_000_000_000n)])
    expect(second).toEqual(first)
    await drive(world)
    expect(await world.balance(address)).toBe(1_000_000_000n)
    expect(await world.system.ports.rail.etherOf(address)).toBe(100_000_000_000_000_000n)
    expect(await getChainTransaction(world.system, first.tx)).toMatchObject({ purpose: 'faucet', state: 'posted' })

    world.clock.advance(86_400_000)
    await faucet(ctx, address, 1_000_000n)
    await drive(world)
    expect(await world.balance(address)).toBe(1_001_000_000n)
    expect(await world.system.ports.rail.etherOf(address)).toBe(100_000_000_000_000_000n)
  })

  it('gives every one of many who ask at once a transaction of their own', async () => {
    const accounts = Array.from({ length: 8 }, wallet)
    const given = await Promise.all(accounts.map((one) => faucet(world.as(world.person(one)), lower(one.address), 1_000_000n)))
    expect(new Set(given.map((one) => one.tx)).size).toBe(8)
    await drive(world)
    for (const one of accounts) expect(await world.balance(lower(one.address))).toBe(1_000_000n)
  })
})
