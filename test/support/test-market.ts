import type { Market } from '../../server/context.ts'

/** A market on a local chain, without contracts. `serverDid`: of the world's signer. */
export function testMarket(changes: Pick<Market, 'serverDid'> & Partial<Market>): Market {
  return {
    publicUrl: 'http://localhost:3000',
    hubUrl: 'http://localhost:4000',
    chainId: 31_337,
    asset: `eip155:31337/erc20:0x${'a'.repeat(40)}`,
    symbol: 'USDC',
    decimals: 6,
    token: `0x${'a'.repeat(40)}`,
    escrow: `0x${'b'.repeat(40)}`,
    channels: null,
    feeBps: 250,
    exposure: { perChannel: 10_000_000n, perPayer: 20_000_000n },
    feeTo: `0x${'c'.repeat(40)}`,
    evaluator: `0x${'d'.repeat(40)}`,
    arbitrator: `0x${'a'.repeat(40)}`,
    isLocalChain: true,
    operators: [],
    listingsPerWallet: 1_000,
    minBudget: 0n,
    fundingsPerDay: 1_000,
    housePublisher: null,
    settlementWindowMs: 0,
    cards: 'none',
    ...changes,
  }
}
