import { personDid } from '@parley/protocol'
import { maxUint256, zeroAddress } from 'viem'
import { chainPreset, localChainIds } from '../contracts/deploy/chain-presets.ts'
import { systemClock } from './clock.ts'
import type { Actor, Context, Market } from './context.ts'
import { groupCommitWriterOf } from './conversations/index.ts'
import { type Client, connectDatabase, connectPipelinedWriter } from './db.ts'
import { createArchiveFileStore } from './delivery/index.ts'
import { type Environment, readEnvironment } from './env.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './http/concurrency-limiter.ts'
import { createServerSigner, createWalletVerifier, parseOperators } from './identity/index.ts'
import { createIds } from './ids.ts'
import { createLog } from './log.ts'
import { createSmtpSender, createWebhookClient } from './notifications/index.ts'
import type { CardRail, FeeCaps } from './ports.ts'
import { createContentScreen } from './safety/index.ts'
import { createListingSearch } from './search/listing-search.ts'
import type { EmbeddingEndpoint } from './search/meaning/endpoint-embedder.ts'
import {
  type Chain,
  type ChainSettings,
  cardDecimals,
  chainFinality,
  createChainAdapters,
  createStripeRail,
  type KeyLocation,
  maxTransactionGas,
} from './settlement/index.ts'
import { connectJetStream } from './signals/jetstream.ts'
import { connectPostgresNotify } from './signals/postgres-notify.ts'
import type { SignalSource } from './signals/signal.ts'
import { createOtlpExporter } from './telemetry/index.ts'

/** The connections and adapters of one process. Hub and web use the same. */
export type Services = {
  readonly env: Environment
  readonly market: Market
  readonly operators: readonly string[]
  readonly listener: SignalSource
  /** Limits the open streams of the web. */
  readonly streams: ConcurrencyLimiter
  contextFor(actor: Actor): Context
  close(): Promise<void>
}

/** Connects ports to adapters. The only file that names concrete adapters. */
export async function composeServices(
  name: 'web' | 'hub',
  env: Environment,
  overrides: Partial<Pick<Context, 'clock'>> = {},
): Promise<Services> {
  const log = createLog(name, env.LOG_LEVEL)
  const db: Client = connectDatabase(env.DATABASE_URL)
  const lost = (error: Error) =>
    log.warn({ event: 'message_writer.connection_lost', err: error }, 'The message writer lost a database connection.')
  const writer = connectPipelinedWriter(env.DATABASE_URL, lost, { busyPolling: env.DATABASE_BUSY_POLLING })
  const signals = env.NATS_URL
    ? await connectJetStream({ url: env.NATS_URL, name: env.NATS_STREAM, log })
    : await connectPostgresNotify(env.DATABASE_URL, log)
  const clock = overrides.clock ?? systemClock
  const signer = await createServerSigner(env.SERVER_SIGNING_KEY)
  const chain = await createChainAdapters({ db, log }, chainSettingsOf(env))
  const cards = openCardRail(env, chain.token)
  const market = marketOf(env, { serverDid: signer.did, chain, cards })
  const ports = {
    signer,
    rail: chain.rail,
    cards,
    screen: createContentScreen(),
    verifyWallet: createWalletVerifier({
      rpcUrl: env.CHAIN_RPC_URL,
      confirmingRpcUrl: env.CHAIN_RPC_URL_CONFIRMING,
      chainId: env.CHAIN_ID,
    }),
    writer,
    signals,
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT ? await createOtlpExporter(env.OTEL_EXPORTER_OTLP_ENDPOINT, `parley-${name}`, log) : null,
    search: createListingSearch({ url: env.DATABASE_URL, asset: market.asset, log, embedding: embeddingEndpoint(env) }),
    files: createArchiveFileStore(env.MESSAGE_ARCHIVE_DIR),
    mail: env.SMTP_URL === undefined ? null : createSmtpSender({ url: env.SMTP_URL, from: env.MAIL_FROM ?? '' }),
    webhooks: createWebhookClient(env.WEBHOOK_ALLOWED_ORIGINS),
  }
  const ids = createIds(clock)
  const contextFor = (actor: Actor): Context => ({ actor, db, clock, ids, log, ports, market, trace: null })
  // Creates the message writer now: the first command could need it inside a transaction, which ends before the writer does.
  groupCommitWriterOf(contextFor({ kind: 'anonymous' }))
  return {
    env,
    market,
    operators: market.operators,
    listener: signals,
    streams: createConcurrencyLimiter(),
    contextFor,
    async close() {
      await ports.search.close()
      await signals.close()
      await writer.close()
      await ports.traces?.close()
      ports.mail?.close()
      await db.$disconnect()
    },
  }
}

/** The addresses of the market's contracts on its chain. */
function contractsOf(env: Environment): Pick<Market, 'chainId' | 'isLocalChain' | 'escrow' | 'token' | 'channels'> {
  return {
    chainId: env.CHAIN_ID,
    isLocalChain: localChainIds.includes(env.CHAIN_ID),
    escrow: lower(env.ESCROW_ADDRESS),
    token: lower(env.TOKEN_ADDRESS ?? chainPreset(env.CHAIN_ID)?.usdc ?? zeroAddress),
    channels: env.CHANNELS_ADDRESS ? lower(env.CHANNELS_ADDRESS) : null,
  }
}

function chainSettingsOf(env: Environment): ChainSettings {
  const { isLocalChain, ...contracts } = contractsOf(env)
  return {
    rpcUrl: env.CHAIN_RPC_URL,
    confirmingRpcUrl: env.CHAIN_RPC_URL_CONFIRMING,
    isLocal: isLocalChain,
    ...contracts,
    keys: keyLocationsOf(env),
    ...chainFinality(env),
    depths: env.CHAIN_CONFIRMATIONS_BY_VALUE,
    replaceAfterMs: env.CHAIN_REPLACE_AFTER_SECONDS * 1_000,
    cancelAfterMs: env.CHAIN_CANCEL_AFTER_SECONDS * 1_000,
    feeCaps: feeCapsOf(env),
    lowBalance: env.SETTLER_LOW_BALANCE_THRESHOLD,
  }
}

/** Null without a key of Stripe. */
function openCardRail(env: Environment, { decimals }: Chain['token']): CardRail | null {
  if (!env.STRIPE_SECRET_KEY) return null
  if (decimals !== cardDecimals)
    throw new Error(
      `STRIPE_SECRET_KEY: cards need a token of ${cardDecimals} decimals, and this one has ${decimals}. Unset it to run without cards.`,
    )
  return createStripeRail({
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRET.split(',').filter((one) => one !== ''),
    fee: { bps: env.CARD_FEE_BPS, fixedCents: env.CARD_FEE_FIXED_CENTS },
    ...(env.STRIPE_API_URL ? { apiUrl: env.STRIPE_API_URL } : {}),
  })
}

type Rails = { readonly serverDid: Market['serverDid']; readonly chain: Chain; readonly cards: CardRail | null }

function marketOf(env: Environment, { serverDid, chain, cards }: Rails): Market {
  const contracts = contractsOf(env)
  const { decimals, symbol } = chain.token
  const unit = 10n ** BigInt(decimals)
  return {
    ...contracts,
    serverDid,
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
    hubUrl: env.HUB_URL.replace(/\/$/, ''),
    asset: `eip155:${env.CHAIN_ID}/erc20:${contracts.token}`,
    symbol,
    decimals,
    feeBps: env.PLATFORM_FEE_BPS,
    // Unset only on a local chain.
    feeTo: lower(env.PLATFORM_FEE_ADDRESS ?? chain.rail.sender),
    exposure: { perChannel: env.MAX_CALL_EXPOSURE_PER_CHANNEL ?? 10n * unit, perPayer: env.MAX_CALL_EXPOSURE_PER_PAYER ?? 20n * unit },
    minBudget: env.MIN_GOAL_BUDGET ?? unit / 10n,
    fundingsPerDay: env.MAX_FUNDINGS_PER_WALLET_DAY,
    evaluator: chain.signers.evaluator.address,
    arbitrator: chain.signers.arbitrator?.address ?? zeroAddress,
    operators: parseOperators(env.OPERATOR_WALLETS),
    listingsPerWallet: env.MAX_LISTINGS_PER_WALLET,
    housePublisher: env.BUILTIN_PUBLISHER_WALLET ? personDid(env.CHAIN_ID, lower(env.BUILTIN_PUBLISHER_WALLET)) : null,
    settlementWindowMs: env.SETTLEMENT_BATCH_WINDOW_MS,
    cards: cards === null ? 'none' : cards.isDemo ? 'demo' : cards.isLive ? 'live' : 'test',
  }
}

/** Where the keys are: in the environment on a local chain, otherwise at a remote signer. `readEnvironment` has checked this. */
function keyLocationsOf(env: Environment): { settler: KeyLocation; evaluator: KeyLocation; arbitrator: KeyLocation | null } {
  const place = (
    key: string | undefined,
    address: string | undefined,
    wallet?: string,
    own?: { url: string | undefined; token: string | undefined },
  ): KeyLocation => ({
    ...(wallet === undefined ? {} : { wallet: lower(wallet) }),
    ...(key === undefined
      ? { address: lower(address ?? ''), url: own?.url ?? env.SIGNER_URL ?? '', token: own?.token ?? env.SIGNER_TOKEN ?? '' }
      : { key: lower(key) }),
  })
  const arbitrates = env.ARBITRATOR_PRIVATE_KEY !== undefined || env.ARBITRATOR_ADDRESS !== undefined
  const own = { url: env.ARBITRATOR_SIGNER_URL, token: env.ARBITRATOR_SIGNER_TOKEN }
  return {
    settler: place(env.SETTLER_PRIVATE_KEY, env.SETTLER_ADDRESS),
    evaluator: place(env.EVALUATOR_PRIVATE_KEY, env.EVALUATOR_ADDRESS, env.EVALUATOR_WALLET),
    arbitrator: arbitrates ? place(env.ARBITRATOR_PRIVATE_KEY, env.ARBITRATOR_ADDRESS, env.ARBITRATOR_WALLET, own) : null,
  }
}

/** Only a local chain has no limit, because its gas has no value. */
function feeCapsOf(env: Environment): FeeCaps {
  const perGas = env.CHAIN_MAX_FEE_PER_GAS ?? chainPreset(env.CHAIN_ID)?.maxFeePerGas ?? maxUint256
  const isBounded = perGas !== maxUint256
  return {
    maxFeePerGas: perGas,
    maxPriorityFeePerGas: env.CHAIN_MAX_PRIORITY_FEE_PER_GAS ?? (isBounded ? perGas / 10n : maxUint256),
    maxTransactionFee: env.CHAIN_MAX_TRANSACTION_FEE ?? (isBounded ? perGas * maxTransactionGas : maxUint256),
  }
}

function embeddingEndpoint(env: Environment): EmbeddingEndpoint | undefined {
  const { EMBEDDING_URL: url, EMBEDDING_MODEL: model, EMBEDDING_DIMENSIONS: dimensions, EMBEDDING_API_KEY: key } = env
  return url === undefined ? undefined : { url, model, dimensions, key }
}

function lower(hex: string): `0x${string}` {
  return hex.toLowerCase() as `0x${string}`
}

// The bundler creates several instances of this module. The process must have one set of services.
const holder = globalThis as typeof globalThis & { parleyWorld?: Promise<Services> }

async function composeWeb(): Promise<Services> {
  const services = await composeServices('web', readEnvironment())
  services.contextFor({ kind: 'anonymous' }).ports.search.start()
  return services
}

/** The services of the web, created for the first request. A build needs neither database nor secrets. */
export function getServices(): Promise<Services> {
  holder.parleyWorld ??= composeWeb().catch((error: unknown) => {
    delete holder.parleyWorld
    throw error
  })
  return holder.parleyWorld
}
