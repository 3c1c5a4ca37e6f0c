import type { Address } from 'viem'

/** What a node calls a block that counts as final: see `eth_getBlockByNumber`. */
export type FinalityTag = 'safe' | 'finalized'

/** Public facts about a chain that the contracts can be deployed to. Chosen by `CHAIN_ID`. */
export type ChainPreset = {
  /** EIP-155 id. */
  readonly chainId: number
  /** As in `npm run deploy -- --chain base-sepolia`. */
  readonly slug: string
  readonly name: string
  readonly isTestnet: boolean
  /** Circle's own USDC, never a bridged one. Its EIP-712 domain and its decimals are read from the token. */
  readonly usdc: Address
  /** From which tag on a block counts as final; `finalized` is what an attacker cannot undo. */
  readonly finality: FinalityTag
  /** Blocks on top where a node does not know the tag: about as deep as the tag usually lies. */
  readonly confirmations: number
  /** Usual time between two blocks, milliseconds. */
  readonly blockTimeMs: number
  /** Address of the block explorer, without a slash at its end. */
  readonly explorer: string
  /** What gas is paid in. */
  readonly nativeSymbol: string
  /** No gas price above it is ever offered, wei. Set it by `CHAIN_MAX_FEE_PER_GAS` where a chain has become dearer. */
  readonly maxFeePerGas: bigint
}

const gwei = 10n ** 9n
const ether = { nativeSymbol: 'ETH', isTestnet: false }
const rollup = { ...ether, finality: 'safe', blockTimeMs: 2_000, confirmations: 300, maxFeePerGas: 20n * gwei } as const
const arbitrumRollup = { ...ether, finality: 'safe', blockTimeMs: 250, confirmations: 2_400, maxFeePerGas: 20n * gwei } as const
// One of Polygon's milestones makes a block final within seconds; below it, nothing is called safe.
const polygonPos = {
  nativeSymbol: 'POL',
  finality: 'finalized',
  blockTimeMs: 2_000,
  confirmations: 256,
  maxFeePerGas: 10_000n * gwei,
} as const
const ethereumLayer = { ...ether, finality: 'finalized', blockTimeMs: 12_000, confirmations: 64, maxFeePerGas: 500n * gwei } as const

/**
 * On a rollup `safe` means that the block's batch is on Ethereum, some minutes after the sequencer has announced it. On Ethereum
 * `finalized` takes about 15 minutes. Chain ids, explorers and block times are compared with viem's by a test; the tokens are those of
 * Circle's list of USDC contract addresses.
 */
export const chainPresets: readonly ChainPreset[] = [
  {
    ...ethereumLayer,
    chainId: 1,
    slug: 'ethereum',
    name: 'Ethereum',
    usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    explorer: 'https://etherscan.io',
  },
  {
    ...ethereumLayer,
    isTestnet: true,
    chainId: 11_155_111,
    slug: 'sepolia',
    name: 'Sepolia',
    usdc: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
    explorer: 'https://sepolia.etherscan.io',
  },
  {
    ...rollup,
    chainId: 8_453,
    slug: 'base',
    name: 'Base',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    explorer: 'https://basescan.org',
  },
  {
    ...rollup,
    isTestnet: true,
    chainId: 84_532,
    slug: 'base-sepolia',
    name: 'Base Sepolia',
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    explorer: 'https://sepolia.basescan.org',
  },
  {
    ...arbitrumRollup,
    chainId: 42_161,
    slug: 'arbitrum',
    name: 'Arbitrum One',
    usdc: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    explorer: 'https://arbiscan.io',
  },
  {
    ...arbitrumRollup,
    isTestnet: true,
    chainId: 421_614,
    slug: 'arbitrum-sepolia',
    name: 'Arbitrum Sepolia',
    usdc: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d',
    explorer: 'https://sepolia.arbiscan.io',
  },
  {
    ...rollup,
    chainId: 10,
    slug: 'optimism',
    name: 'OP Mainnet',
    usdc: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    explorer: 'https://optimistic.etherscan.io',
  },
  {
    ...rollup,
    isTestnet: true,
    chainId: 11_155_420,
    slug: 'optimism-sepolia',
    name: 'OP Sepolia',
    usdc: '0x5fd84259d66Cd46123540766Be93DFE6D43130D7',
    explorer: 'https://optimism-sepolia.blockscout.com',
  },
  {
    ...polygonPos,
    isTestnet: false,
    chainId: 137,
    slug: 'polygon',
    name: 'Polygon',
    usdc: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    explorer: 'https://polygonscan.com',
  },
  {
    ...polygonPos,
    isTestnet: true,
    chainId: 80_002,
    slug: 'polygon-amoy',
    name: 'Polygon Amoy',
    usdc: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
    explorer: 'https://amoy.polygonscan.com',
  },
]

/** Null for a chain that there is no preset of, as a local one. */
export function chainPreset(chainId: number): ChainPreset | null {
  return chainPresets.find((one) => one.chainId === chainId) ?? null
}

/** Where an explorer shows it. Null where the chain has none that we know. */
export function explorerLink(chainId: number, what: { readonly tx: string } | { readonly address: string }): string | null {
  const preset = chainPreset(chainId)
  if (preset === null) return null
  return 'tx' in what ? `${preset.explorer}/tx/${what.tx}` : `${preset.explorer}/address/${what.address}`
}

/** Chains that hold test money only and run on one machine: anvil's and Hardhat's. */
export const localChainIds: readonly number[] = [31_337, 1_337]
