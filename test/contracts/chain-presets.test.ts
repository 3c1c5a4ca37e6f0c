import { getAddress } from 'viem'
import * as viemChains from 'viem/chains'
import { describe, expect, it } from 'vitest'
import { chainPreset, chainPresets, explorerLink, localChainIds } from '../../contracts/deploy/chain-presets.ts'

type Known = {
  readonly id: number
  readonly name: string
  readonly testnet?: boolean
  readonly blockTime?: number
  readonly nativeCurrency: { readonly symbol: string }
  readonly blockExplorers?: { readonly default: { readonly url: string } }
}
const known = new Map(Object.values(viemChains as unknown as Record<string, Known>).map((chain) => [chain.id, chain]))

describe('chainPresets', () => {
  it.each(chainPresets)('$slug agrees with what viem knows of the chain', (preset) => {
    const chain = known.get(preset.chainId)
    expect(chain?.name).toBe(preset.name)
    expect(chain?.testnet ?? false).toBe(preset.isTestnet)
    expect(chain?.nativeCurrency.symbol).toBe(preset.nativeSymbol)
    expect(chain?.blockExplorers?.default.url).toBe(preset.explorer)
    if (chain?.blockTime !== undefined) expect(preset.blockTimeMs).toBe(chain.blockTime)
  })

  it.each(chainPresets)('$slug names a token by an address that was typed without a slip', ({ usdc }) => {
    expect(getAddress(usdc.toLowerCase())).toBe(usdc)
  })

  it('has the five chains of the product, each with a testnet', () => {
    const slugs = chainPresets.map((one) => one.slug)
    expect(new Set(slugs).size).toBe(10)
    expect(new Set(chainPresets.map((one) => one.usdc.toLowerCase())).size).toBe(10)
    expect(chainPresets.filter((one) => one.isTestnet)).toHaveLength(5)
    for (const preset of chainPresets) expect(preset.confirmations * preset.blockTimeMs).toBeGreaterThanOrEqual(8 * 60_000)
  })

  it('knows no local chain, and links nowhere for one', () => {
    for (const id of localChainIds) {
      expect(chainPreset(id)).toBeNull()
      expect(explorerLink(id, { tx: '0x1' })).toBeNull()
    }
    expect(explorerLink(8_453, { tx: '0xab' })).toBe('https://basescan.org/tx/0xab')
    expect(explorerLink(8_453, { address: '0xcd' })).toBe('https://basescan.org/address/0xcd')
  })
})
