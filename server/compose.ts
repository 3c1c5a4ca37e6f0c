import { zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { systemClock } from './clock.ts'
import type { Actor, Context, Market } from './context.ts'
import { switchboardOf } from './conversations/index.ts'
import { type Client, connectDatabase, connectWriter } from './db.ts'
import { createMessageFiles } from './delivery/index.ts'
import { type Environment, readEnvironment } from './env.ts'
import { createSigner, createWalletVerifier, readOperators } from './identity/index.ts'
import { createIds } from './ids.ts'
import { createLog } from './log.ts'
import { createScreen } from './safety/index.ts'
import { createEscrowRail, createStripeRail } from './settlement/index.ts'
import { createTraces } from './telemetry/index.ts'
import { connectJetStream } from './wake/jetstream.ts'
import { connectNotify } from './wake/notify.ts'
import type { WakeListener } from './wake.ts'

/** One process's connections and adapters. Hubs and webs are made of the same. */
export type World = {
  readonly env: Environment
  readonly market: Market
  readonly operators: readonly string[]
  readonly listener: WakeListener
  contextFor(actor: Actor): Context
  close(): Promise<void>
}

/** Chains that only hold test money: anvil's and Hardhat's. */
const localChainIds = [31_337, 1_337]

/** Joins ports to adapters. The only place that names concrete ones. */
export async function composeWorld(name: 'web' | 'hub', env: Environment, overrides: Partial<Pick<Context, 'clock'>> = {}): Promise<World> {
  const log = createLog(name, env.LOG_LEVEL)
  const db: Client = connectDatabase(env.DATABASE_URL)
  const lost = (error: Error) => log.warn({ err: error }, 'lost a connection of the writer')
  const writer = connectWriter(env.DATABASE_URL, lost, { busyPolling: env.BUSY_POLLING })
  const wakes = env.NATS_URL
    ? await connectJetStream({ url: env.NATS_URL, name: env.NATS_STREAM, log })
    : await connectNotify(env.DATABASE_URL, log)
  const clock = overrides.clock ?? systemClock
  const signer = await createSigner(env.SERVER_SIGNING_KEY)
  const escrow = lower(env.ESCROW_ADDRESS)
  const token = lower(env.TOKEN_ADDRESS)
  const channels = env.CHANNELS_ADDRESS ? lower(env.CHANNELS_ADDRESS) : null
  const rail = createEscrowRail({
    rpcUrl: env.CHAIN_RPC_URL,
    chainId: env.CHAIN_ID,
    escrow,
    token,
    channels,
    settlerKey: lower(env.SETTLER_PRIVATE_KEY),
    evaluatorKey: lower(env.EVALUATOR_PRIVATE_KEY),
    arbitratorKey: env.ARBITRATOR_PRIVATE_KEY ? lower(env.ARBITRATOR_PRIVATE_KEY) : undefined,
    confirmations: env.CHAIN_CONFIRMATIONS,
    depths: env.CHAIN_CONFIRMATIONS_BY_VALUE,
    replaceAfterMs: env.CHAIN_REPLACE_SECONDS * 1_000,
  })
  const addressOf = (key: string) => lower(privateKeyToAccount(lower(key)).address)
  const cards = env.STRIPE_SECRET_KEY
    ? createStripeRail({
        secretKey: env.STRIPE_SECRET_KEY,
        webhookSecrets: env.STRIPE_WEBHOOK_SECRET.split(',').filter((one) => one !== ''),
        ...(env.STRIPE_API_URL ? { apiUrl: env.STRIPE_API_URL } : {}),
      })
    : null
  const market: Market = {
    serverDid: signer.did,
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
    hubUrl: env.HUB_URL.replace(/\/$/, ''),
    chainId: env.CHAIN_ID,
    asset: `eip155:${env.CHAIN_ID}/erc20:${token}`,
    symbol: 'USDC',
    decimals: 6,
    token,
    escrow,
    channels,
    feeBps: env.FEE_BPS,
    feeTo: lower(env.FEE_ADDRESS ?? rail.sender),
    evaluator: addressOf(env.EVALUATOR_PRIVATE_KEY),
    arbitrator: env.ARBITRATOR_PRIVATE_KEY ? addressOf(env.ARBITRATOR_PRIVATE_KEY) : zeroAddress,
    isLocalChain: localChainIds.includes(env.CHAIN_ID),
    cards: cards === null ? 'none' : cards.isDemo ? 'demo' : cards.isLive ? 'live' : 'test',
  }
  const ports = {
    signer,
    rail,
    cards,
    screen: createScreen(),
    verifyWallet: createWalletVerifier({ rpcUrl: env.CHAIN_RPC_URL, chainId: env.CHAIN_ID }),
    writer,
    wakes,
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT ? createTraces(env.OTEL_EXPORTER_OTLP_ENDPOINT, `parley-${name}`, log) : null,
    files: createMessageFiles(env.MESSAGE_FILES),
  }
  const ids = createIds(clock)
  const contextFor = (actor: Actor): Context => ({ actor, db, clock, ids, log, ports, market, trace: null })
  // Before any verb asks for it in the middle of a transaction, which ends long before the switchboard does.
  switchboardOf(contextFor({ kind: 'anonymous' }))
  return {
    env,
    market,
    operators: readOperators(env.OPERATORS),
    listener: wakes,
    contextFor,
    async close() {
      await wakes.close()
      await writer.close()
      await ports.traces?.close()
      await db.$disconnect()
    },
  }
}

function lower(hex: string): `0x${string}` {
  return hex.toLowerCase() as `0x${string}`
}

// The bundler makes several instances of a module; the process must still have one world.
const holder = globalThis as typeof globalThis & { parleyWorld?: Promise<World> }

/** The web's world, made at the first request: a build needs neither database nor secrets. */
export function getWorld(): Promise<World> {
  holder.parleyWorld ??= (async () => composeWorld('web', readEnvironment()))().catch((error: unknown) => {
    delete holder.parleyWorld
    throw error
  })
  return holder.parleyWorld
}
