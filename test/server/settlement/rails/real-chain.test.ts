import { domainSeparator, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { getFundingTerms, getHold, listPayouts, reconcile } from '../../../../server/settlement/index.ts'
import { createChainAdapters } from '../../../../server/settlement/rails/create-chain-adapters.ts'
import { readTokenDomain } from '../../../../server/settlement/rails/read-token-domain.ts'
import { type Lie, startFalseNode } from '../../../support/false-node.ts'
import { authorize, capture, createMoneyWorld, drive, handOver, ledgerBalance, type NamedTokenOptions, open } from '../money-world.ts'

const chainId = 8_453
const circle: NamedTokenOptions = { name: 'USD Coin', version: '2', decimals: 6, includesDomain: false }
const usdc = 10n ** 16n

describe('a chain that is not local, with a token of its own', () => {
  it.each<[string, NamedTokenOptions]>([
    ["Circle's name and version", circle],
    ['eight decimals, told by ERC-5267', { name: 'Euro Token', version: '7', decimals: 8, includesDomain: true }],
    ['twelve decimals', { name: 'USDC', version: '1', decimals: 12, includesDomain: false }],
  ])('funds, settles and pays with %s', async (_what, token) => {
    await using world = await createMoneyWorld({ chainId, token, usdc })
    const unit = 10n ** BigInt(token.decimals - 6)
    const goalId = await open(world, { total: 10_250_000n * unit })
    const { typedData } = await getFundingTerms(world.system, goalId)
    const { name, version } = token
    expect(typedData.domain).toEqual({ name, version, chainId, verifyingContract: world.system.market.token })
    expect(world.system.market).toMatchObject({ decimals: token.decimals, symbol: 'USDC', isLocalChain: false })
    await authorize(world, goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    await handOver(world, goalId)
    await drive(world)
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(7_000_000n)
    expect(await ledgerBalance(world, `escrow:${goalId}`)).toBe(0n)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })
})

describe('readTokenDomain', () => {
  it('reads what the token itself checks signatures with, and nothing that it merely says', async () => {
    await using world = await createMoneyWorld({ chainId, token: circle, usdc: 1n })
    const node = { rpcUrl: world.chain.rpcUrl }
    const { token, escrow } = world.system.market
    const facts = await readTokenDomain(node, { chainId, token })
    expect(facts).toEqual({ name: 'USD Coin', version: '2', decimals: 6, symbol: 'USDC' })
    const { createPublicClient, http } = await import('viem')
    const separator = await createPublicClient({ transport: http(world.chain.rpcUrl) }).readContract({
      address: token,
      abi: parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']),
      functionName: 'DOMAIN_SEPARATOR',
    })
    expect(domainSeparator({ domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: token } })).toBe(separator)
    await expect(readTokenDomain(node, { chainId: 1, token })).rejects.toThrow('node of chain 8453')
    await expect(readTokenDomain(node, { chainId, token: world.payees[0] ?? '0x' })).rejects.toThrow('no contract stands there')
    await expect(readTokenDomain(node, { chainId, token: escrow })).rejects.toThrow('DOMAIN_SEPARATOR()')
    expect(await readTokenDomain({ rpcUrl: 'http://127.0.0.1:9' }, { chainId, token })).toBeNull()
  })

  it.each<[string, NamedTokenOptions, string]>([
    ['whose version is another than it says', { ...circle, versionAnswer: '1' }, 'does not match its DOMAIN_SEPARATOR()'],
    ['with more decimals than a ledger row has room for', { ...circle, decimals: 18 }, '18 decimals'],
  ])('refuses a token %s', async (_what, token, why) => {
    await expect(createMoneyWorld({ chainId, token, usdc: 1n })).rejects.toThrow(why)
  })
})

describe('createChainAdapters', () => {
  it('takes the token as it was the last time where the node is unavailable, and refuses to guess before', async () => {
    await using world = await createMoneyWorld({ chainId, token: circle, usdc: 1n })
    const { token, escrow } = world.system.market
    const [key = '0x'] = world.chain.keys
    const keys = { settler: { key }, evaluator: { key }, arbitrator: null }
    const settings = { chainId, token, escrow, keys, isLocal: false, confirmations: 1 }
    const here = { db: world.system.db as never, log: world.system.log }
    const away = { ...settings, rpcUrl: 'http://127.0.0.1:9' }
    await expect(createChainAdapters(here, away)).rejects.toThrow('CHAIN_RPC_URL does not answer')
    expect((await createChainAdapters(here, { ...away, isLocal: true })).token.name).toBe('Test USD Coin')
    expect((await createChainAdapters(here, { ...settings, rpcUrl: world.chain.rpcUrl })).token.name).toBe('USD Coin')
    expect((await createChainAdapters(here, away)).token).toEqual({ name: 'USD Coin', version: '2', decimals: 6, symbol: 'USDC' })
  })

  it('refuses a mark of final blocks that the node of a chain without a preset does not know, and waits for a node that is away', async () => {
    await using world = await createMoneyWorld({ chainId: 424_242, token: circle, usdc: 1n })
    await using node = await startFalseNode(world.chain.rpcUrl, ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params.includes('finalized') ? { message: 'unknown block' } : null,
    )
    const { token, escrow } = world.system.market
    const [key = '0x'] = world.chain.keys
    const keys = { settler: { key }, evaluator: { key }, arbitrator: null }
    const settings = { chainId: 424_242, token, escrow, keys, isLocal: false, confirmations: 3, fallbackConfirmations: 3, rpcUrl: node.url }
    const here = { db: world.system.db as never, log: world.system.log }
    await expect(createChainAdapters(here, { ...settings, finality: 'finalized' })).rejects.toThrow('CHAIN_FINALITY is finalized')
    expect((await createChainAdapters(here, { ...settings, finality: 'safe' })).rail.finality).toBe('safe')
    expect((await createChainAdapters(here, { ...settings, finality: 'confirmations' })).rail.finality).toBe('confirmations')
    await expect(createChainAdapters(here, { ...settings, rpcUrl: 'http://127.0.0.1:9', finality: 'finalized' })).resolves.toBeDefined()
  })

  it.each<[string, Lie]>([
    ['of another chain', ({ method }) => (method === 'eth_chainId' ? '0x1' : undefined)],
    ['of another token', ({ method }) => (method === 'eth_call' ? '0x' : undefined)],
  ])('takes the token as it was the last time where the second node answers %s', async (_what, lie) => {
    await using world = await createMoneyWorld({ chainId, token: circle, usdc: 1n })
    await using second = await startFalseNode(world.chain.rpcUrl)
    const { token, escrow } = world.system.market
    const [key = '0x'] = world.chain.keys
    const keys = { settler: { key }, evaluator: { key }, arbitrator: null }
    const node = { rpcUrl: world.chain.rpcUrl, confirmingRpcUrl: second.url }
    const settings = { ...node, chainId, token, escrow, keys, isLocal: false, confirmations: 1 }
    const here = { db: world.system.db as never, log: world.system.log }
    const { token: facts } = await createChainAdapters(here, settings)
    second.lie(lie)
    expect((await createChainAdapters(here, settings)).token).toEqual(facts)
  })
})
