import { type Chain, defineChain } from 'viem'
import { type Config, createConfig, createStorage, http } from 'wagmi'
import { chainPreset } from '../../contracts/deploy/chain-presets.ts'
import type { PublicMarket } from '../_components/market-provider.tsx'

/** One per page, because connections belong to the browser, not to a component. */
let made: Config | null = null

/** Wallets announce themselves (EIP-6963). Chain reads go through this server. */
export function walletConfig(market: PublicMarket): Config {
  made ??= createConfig({
    // The last used wallet is stored. Connections are not: each page asks the wallet again.
    storage: createStorage({
      storage: {
        getItem: (key) => (key.endsWith('.store') ? null : localStorage.getItem(key)),
        setItem(key, value) {
          if (!key.endsWith('.store')) localStorage.setItem(key, value)
        },
        removeItem: (key) => localStorage.removeItem(key),
      },
    }),
    chains: [marketChain(market)],
    transports: { [market.chainId]: http('/api/chain') },
  })
  return made
}

export function marketChain(market: PublicMarket): Chain {
  const preset = chainPreset(market.chainId)
  const symbol = preset?.nativeSymbol ?? 'ETH'
  return defineChain({
    id: market.chainId,
    name: preset?.name ?? (market.isLocalChain ? 'Parley local chain' : `Chain ${market.chainId}`),
    nativeCurrency: { name: symbol === 'ETH' ? 'Ether' : symbol, symbol, decimals: 18 },
    ...(preset === null ? {} : { blockExplorers: { default: { name: 'Explorer', url: preset.explorer } } }),
    rpcUrls: { default: { http: [new URL('/api/chain', market.publicUrl).href] } },
  })
}
