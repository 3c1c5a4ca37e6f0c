import { createPublicClient, type Hex } from 'viem'
import { chainPreset } from '../../../contracts/deploy/chain-presets.ts'
import type { Client } from '../../db.ts'
import { DomainError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { ChainSigner, ChainSigners, EscrowRail, SignerRole } from '../../ports.ts'
import { createContractWalletSigner, detectSignatureStyle, type WalletSignerOptions } from '../signers/contract-wallet-signer.ts'
import { createKeySigner } from '../signers/key-signer.ts'
import { createRemoteSigner, holdsKey, type RemoteSignerOptions } from '../signers/remote-signer.ts'
import { createEscrowRail, type EscrowRailOptions } from './escrow-rail.ts'
import { supportsTag } from './get-tagged-block.ts'
import { mapRpcErrors } from './map-rpc-errors.ts'
import { createQuorumTransport, type RpcOptions } from './quorum-transport.ts'
import { readTokenDomain, type TokenFacts } from './read-token-domain.ts'

/** Location of a role's key. `wallet`: the contract wallet that the key owns and signs for. */
export type KeyLocation = { readonly wallet?: Hex | undefined } & (
  | { readonly key: Hex }
  | { readonly address: Hex; readonly url: string; readonly token: string }
)
export type ChainSettings = Omit<EscrowRailOptions, 'signers' | 'tokenDomain'> & {
  readonly isLocal: boolean
  readonly keys: { readonly settler: KeyLocation; readonly evaluator: KeyLocation; readonly arbitrator: KeyLocation | null }
}
/** Adapters of one chain, and the token's properties. */
export type Chain = { readonly rail: EscrowRail; readonly signers: ChainSigners; readonly token: TokenFacts }
type Dependencies = { readonly db: Client; readonly log: Log }

/** Properties of the test token, for a local node that is down. */
const testToken: TokenFacts = { name: 'Test USD Coin', version: '1', decimals: 6, symbol: 'USDC' }

/**
 * Connects to the chain: reads the token and verifies that the signers hold the configured keys. Static stability: a check that
 * cannot run now uses the last known values or happens with the first signature. A contradiction to the settings throws.
 * @throws {Error} with the setting to change
 */
export async function createChainAdapters(world: Dependencies, settings: ChainSettings): Promise<Chain> {
  const signers = {
    settler: await openSigner(world, 'settler', settings, settings.keys.settler),
    evaluator: await openSigner(world, 'evaluator', settings, settings.keys.evaluator),
    arbitrator: settings.keys.arbitrator && (await openSigner(world, 'arbitrator', settings, settings.keys.arbitrator)),
  }
  const token = await loadToken(world, settings)
  await requireBlockTag(world, settings)
  return { rail: createEscrowRail({ ...settings, signers, tokenDomain: token }), signers, token }
}

async function openSigner(
  world: Dependencies,
  role: SignerRole,
  node: RpcOptions & { chainId: number },
  place: KeyLocation,
): Promise<ChainSigner> {
  const owner = 'key' in place ? createKeySigner(role, place.key) : await openRemoteSigner(world, { role, ...place })
  if (place.wallet === undefined) return owner
  const client = createPublicClient({ transport: createQuorumTransport(node), cacheTime: 0 })
  const wallet: WalletSignerOptions = { wallet: place.wallet, owner, chainId: node.chainId, client }
  const takes = await unlessUnreachable(world, detectSignatureStyle(wallet))
  const name = role.toUpperCase()
  if (takes === null)
    throw new Error(
      `${name}_WALLET ${place.wallet} is no contract that takes the signature of ${owner.address} (ERC-1271, plain or as Safe).`,
    )
  return createContractWalletSigner(wallet)
}

async function openRemoteSigner(world: Dependencies, options: RemoteSignerOptions): Promise<ChainSigner> {
  if ((await unlessUnreachable(world, holdsKey(options))) === false)
    throw new Error(`${options.role.toUpperCase()}_ADDRESS ${options.address} is none of the keys that the signer at ${options.url} holds.`)
  return createRemoteSigner(options)
}

/** Without a preset, checks that the node supports the configured finality tag. */
async function requireBlockTag(world: Dependencies, settings: ChainSettings): Promise<void> {
  const { chainId, finality = 'confirmations' } = settings
  if (finality === 'confirmations' || chainPreset(chainId) !== null) return
  const client = createPublicClient({ transport: createQuorumTransport(settings), cacheTime: 0 })
  if ((await unlessUnreachable(world, mapRpcErrors(supportsTag(client, finality)))) === false)
    throw new Error(
      `CHAIN_FINALITY is ${finality}, and the node of chain ${chainId} knows no such block. ` +
        'Set CHAIN_FINALITY to confirmations, and CHAIN_CONFIRMATIONS.',
    )
}

/** Undefined if the check could not run. Every signature is verified again when it is made. */
async function unlessUnreachable<T>({ log }: Dependencies, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    log.warn({ event: 'chain.startup_check_failed', err: error }, 'A signer or the node did not answer at the start.')
    return undefined
  }
}

async function loadToken({ db, log }: Dependencies, settings: ChainSettings): Promise<TokenFacts> {
  const { chainId, token: address, isLocal } = settings
  const read = await readTokenDomain(settings, { chainId, token: address })
  if (read !== null) {
    const facts = { ...read, readAt: new Date() }
    await db.chainToken
      .upsert({ where: { chainId_address: { chainId, address } }, create: { chainId, address, ...facts }, update: facts })
      .catch((error: unknown) => log.warn({ event: 'token.store_failed', err: error }, 'The facts about the token could not be stored.'))
    return read
  }
  const kept = await db.chainToken.findUnique({ where: { chainId_address: { chainId, address } } }).catch(() => null)
  if (kept) {
    log.warn(
      { event: 'token.read_failed', readAt: kept.readAt },
      'The node does not answer. The server uses the stored facts about the token.',
    )
    return { name: kept.name, version: kept.version, decimals: kept.decimals, symbol: kept.symbol }
  }
  if (isLocal) return testToken
  throw new Error(
    `CHAIN_RPC_URL does not answer, and what wallets sign for the token ${address} has to be read from it once. Start the node first.`,
  )
}
