import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServices, getServices } from '../../server/compose.ts'
import { readEnvironment } from '../../server/env.ts'
import { startChain } from '../support/chain.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const connections = async () => {
  const [row] = await world.system.db.$queryRaw<
    { count: bigint }[]
  >`select count(*) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  return Number(row?.count ?? 0)
}

describe('composeServices', () => {
  it('makes one market out of the settings, addresses in one spelling and URLs without an end', async () => {
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const { ESCROW_ADDRESS = '', TOKEN_ADDRESS = '', SETTLER_PRIVATE_KEY = '', EVALUATOR_PRIVATE_KEY = '' } = world.env
    const composed = await composeServices(
      'hub',
      readEnvironment({
        ...world.env,
        ESCROW_ADDRESS: upper(ESCROW_ADDRESS),
        TOKEN_ADDRESS: upper(TOKEN_ADDRESS),
        PUBLIC_URL: 'https://parley.example/',
        HUB_URL: 'https://parley.example/',
        PLATFORM_FEE_BPS: '125',
        OPERATOR_WALLETS: `0x${'A'.repeat(40)},`,
      }),
    )
    const address = (key: string) => privateKeyToAccount(key as `0x${string}`).address.toLowerCase()
    expect(composed.market).toMatchObject({
      serverDid: world.world.market.serverDid,
      publicUrl: 'https://parley.example',
      hubUrl: 'https://parley.example',
      escrow: ESCROW_ADDRESS.toLowerCase(),
      asset: `eip155:31337/erc20:${TOKEN_ADDRESS.toLowerCase()}`,
      feeBps: 125,
      feeTo: address(SETTLER_PRIVATE_KEY),
      evaluator: address(EVALUATOR_PRIVATE_KEY),
      isLocalChain: true,
      cards: 'none',
      housePublisher: expect.stringMatching(/^did:pkh:eip155:31337:0x[0-9a-f]{40}$/),
    })
    expect(composed.operators).toEqual([`0x${'a'.repeat(40)}`])
    await composed.close()
  })

  it('offers what belongs to a chain without value on no other, and believes no setting about which one it is', async () => {
    const remote = {
      SETTLER_PRIVATE_KEY: '',
      EVALUATOR_PRIVATE_KEY: '',
      ARBITRATOR_PRIVATE_KEY: '',
      SIGNER_URL: 'http://127.0.0.1:9',
      SIGNER_TOKEN: 'x'.repeat(16),
      SETTLER_ADDRESS: `0x${'a'.repeat(40)}`,
      EVALUATOR_ADDRESS: `0x${'b'.repeat(40)}`,
      PLATFORM_FEE_ADDRESS: `0x${'f'.repeat(40)}`,
      CHAIN_CONFIRMATIONS: '12',
    }
    const elsewhere = { ...world.env, ...remote, CHAIN_ID: '8453' }
    await expect(composeServices('web', readEnvironment(elsewhere))).rejects.toThrow('CHAIN_RPC_URL is a node of chain 31337')
    await using other = await startChain({ chainId: 8_453 })
    const composed = await composeServices('web', readEnvironment({ ...elsewhere, CHAIN_RPC_URL: other.rpcUrl }))
    expect(composed.market).toMatchObject({ isLocalChain: false, chainId: 8_453, evaluator: remote.EVALUATOR_ADDRESS, decimals: 6 })
    await composed.close()
  })

  it('gives each actor a context of its own on the same adapters', async () => {
    const one = world.world.contextFor({ kind: 'anonymous' })
    const other = world.world.contextFor({ kind: 'system', name: 'clock' })
    expect([one.actor.kind, other.actor.kind]).toEqual(['anonymous', 'system'])
    expect(one.ports).toBe(other.ports)
    expect(one.clock).toBe(world.clock)
  })

  it('leaves no connection behind when it is closed', async () => {
    const before = await connections()
    const composed = await composeServices('web', readEnvironment(world.env))
    await composed.contextFor({ kind: 'anonymous' }).db.goal.count()
    expect(await connections()).toBeGreaterThan(before)
    await composed.close()
    await world.until('the connections to be gone', async () => (await connections()) <= before)
  })
})

describe('getServices', () => {
  it('is made once, and again after it could not be', async () => {
    const earlier = { ...process.env }
    const global = globalThis as { parleyWorld?: unknown }
    // Another file of this worker may have asked for it.
    delete global.parleyWorld
    try {
      Object.assign(process.env, world.env, { DATABASE_URL: 'mysql://nowhere' })
      await expect(getServices()).rejects.toThrow('DATABASE_URL')
      Object.assign(process.env, world.env)
      const [first, second] = await Promise.all([getServices(), getServices()])
      expect(first).toBe(second)
      await first.close()
    } finally {
      for (const name of Object.keys(world.env)) {
        const value = earlier[name]
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      delete global.parleyWorld
    }
  })
})
