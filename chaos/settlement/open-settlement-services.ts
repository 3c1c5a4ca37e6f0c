import { type Clock, systemClock } from '../../server/clock.ts'
import { composeServices, type Services } from '../../server/compose.ts'
import type { Context } from '../../server/context.ts'
import { readEnvironment } from '../../server/env.ts'
import type { SettlementPoint } from '../../server/ports.ts'
import { createEscrowRail, createStripeRail } from '../../server/settlement/index.ts'
import { keySigners } from '../../test/support/key-signers.ts'

type Hex = `0x${string}`

/** The settings of a process that settles on this chain with these books. */
export type SettlementSettings = {
  readonly databaseUrl: string
  /** The RPC address of this process: the chain, or a proxy. */
  readonly rpcUrl: string
  /** Null: a single trusted node. */
  readonly confirmingRpcUrl: string | null
  readonly chainId: number
  readonly escrow: string
  readonly token: string
  readonly channels: string
  readonly settlerKey: string
  readonly evaluatorKey: string
  readonly arbitratorKey: string
  readonly serverKey: string
  readonly stripeUrl: string
  readonly stripeSecret: string
  readonly confirmations: number
  readonly depths: string
  readonly replaceAfterMs: number
  readonly cancelAfterMs: number
  readonly timeoutMs: number
}

/** The server as production composes it, with shorter timeouts on the rails, and a failpoint recorder. */
export async function openSettlementServices(
  place: SettlementSettings,
  onSettlementPoint: (point: SettlementPoint) => Promise<void> = async () => {},
  clock: Clock = systemClock,
  logLevel: 'silent' | 'warn' = 'silent',
): Promise<{ world: Services; system: Context }> {
  const env = readEnvironment({
    DATABASE_URL: place.databaseUrl,
    CHAIN_RPC_URL: place.rpcUrl,
    ...(place.confirmingRpcUrl === null ? {} : { CHAIN_RPC_URL_CONFIRMING: place.confirmingRpcUrl }),
    CHAIN_ID: String(place.chainId),
    CHAIN_CONFIRMATIONS: String(place.confirmations),
    CHAIN_CONFIRMATIONS_BY_VALUE: place.depths,
    ESCROW_ADDRESS: place.escrow,
    TOKEN_ADDRESS: place.token,
    CHANNELS_ADDRESS: place.channels,
    SETTLER_PRIVATE_KEY: place.settlerKey,
    EVALUATOR_PRIVATE_KEY: place.evaluatorKey,
    ARBITRATOR_PRIVATE_KEY: place.arbitratorKey,
    SERVER_SIGNING_KEY: place.serverKey,
    STRIPE_SECRET_KEY: 'sk_test_chaos',
    STRIPE_WEBHOOK_SECRET: place.stripeSecret,
    STRIPE_API_URL: place.stripeUrl,
    MAX_LISTINGS_PER_WALLET: '1000',
    LOG_LEVEL: logLevel,
  })
  const world = await composeServices('hub', env, { clock })
  const context = world.contextFor({ kind: 'system', name: 'jobs' })
  const { timeoutMs } = place
  const rail = createEscrowRail({
    rpcUrl: place.rpcUrl,
    ...(place.confirmingRpcUrl === null ? {} : { confirmingRpcUrl: place.confirmingRpcUrl }),
    chainId: place.chainId,
    escrow: place.escrow as Hex,
    token: place.token as Hex,
    channels: place.channels as Hex,
    signers: keySigners(place.settlerKey as Hex, place.evaluatorKey as Hex, place.arbitratorKey as Hex),
    confirmations: place.confirmations,
    depths: env.CHAIN_CONFIRMATIONS_BY_VALUE,
    replaceAfterMs: place.replaceAfterMs,
    cancelAfterMs: place.cancelAfterMs,
    timeoutMs,
  })
  const cards = createStripeRail({
    secretKey: 'sk_test_chaos',
    webhookSecrets: [place.stripeSecret],
    fee: { bps: env.CARD_FEE_BPS, fixedCents: env.CARD_FEE_FIXED_CENTS },
    apiUrl: place.stripeUrl,
    timeoutMs,
  })
  return { world, system: { ...context, ports: { ...context.ports, rail, cards, onSettlementPoint } } }
}
