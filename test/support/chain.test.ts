import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { startChain } from './chain.ts'

describe('startChain', () => {
  it('has both contracts deployed, and keys that can pay for gas', async () => {
    await using chain = await startChain()
    const client = createPublicClient({ transport: http(chain.rpcUrl) })
    expect(await client.getChainId()).toBe(chain.chainId)
    for (const address of [chain.escrow, chain.token]) expect((await client.getCode({ address }))?.length).toBeGreaterThan(1_000)
    for (const key of chain.keys) expect(await client.getBalance({ address: privateKeyToAccount(key).address })).toBeGreaterThan(10n ** 18n)
  })

  it('stands at the present time, and jumps ahead by as much as commanded', async () => {
    await using chain = await startChain()
    const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
    await chain.warp(0)
    const before = (await client.getBlock()).timestamp
    expect(Math.abs(Number(before) - Date.now() / 1000)).toBeLessThan(10)
    await chain.warp(3_600)
    const passed = Number((await client.getBlock()).timestamp - before)
    expect(passed).toBeGreaterThanOrEqual(3_600)
    expect(passed).toBeLessThan(3_610)
  })

  it('shares nothing with another chain, and is gone once stopped', async () => {
    await using other = await startChain()
    const chain = await startChain()
    await chain.warp(1)
    const height = (url: string) => createPublicClient({ transport: http(url, { retryCount: 0 }), cacheTime: 0 }).getBlockNumber()
    expect(await height(chain.rpcUrl)).toBe((await height(other.rpcUrl)) + 1n)
    await chain.stop()
    await expect(height(chain.rpcUrl)).rejects.toThrow()
    await chain.stop()
  })
})
