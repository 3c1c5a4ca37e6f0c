import { type Clock, systemClock } from '../../server/clock.ts'
import { composeWorld, type World } from '../../server/compose.ts'
import type { Context } from '../../server/context.ts'
import { readEnvironment } from '../../server/env.ts'
import type { SettlementPoint } from '../../server/ports.ts'
import { createEscrowRail } from '../../server/settlement/index.ts'

/** What a process needs to know to settle on this chain with these books. */
export type Place = {
  readonly databaseUrl: string
  /** Where this process asks; the chain itself, or something that stands before it. */
  readonly rpcUrl: string
  readonly chainId: number
  readonly escrow: string
  readonly token: string
  readonly settlerKey: string
  readonly evaluatorKey: string
  readonly serverKey: string
  readonly confirmations: number
  readonly depths: string
  readonly replaceAfterMs: number
  readonly timeoutMs: number
}

/** The server as production composes it, with a rail that has less patience, and a witness of where it stands. */
export async function openBooks(
  place: Place,
  reached: (point: SettlementPoint) => Promise<void> = async () => {},
  clock: Clock = systemClock,
): Promise<{ world: World; system: Context }> {
  const env = readEnvironment({
    DATABASE_URL: place.databaseUrl,
    CHAIN_RPC_URL: place.rpcUrl,
    CHAIN_ID: String(place.chainId),
    CHAIN_CONFIRMATIONS: String(place.confirmations),
    CHAIN_CONFIRMATIONS_BY_VALUE: place.depths,
    ESCROW_ADDRESS: place.escrow,
    TOKEN_ADDRESS: place.token,
    SETTLER_PRIVATE_KEY: place.settlerKey,
    EVALUATOR_PRIVATE_KEY: place.evaluatorKey,
    SERVER_SIGNING_KEY: place.serverKey,
    LOG_LEVEL: 'silent',
  })
  const world = await composeWorld('hub', env, { clock })
  const context = world.contextFor({ kind: 'system', name: 'jobs' })
  const rail = createEscrowRail({
    rpcUrl: place.rpcUrl,
    chainId: place.chainId,
    escrow: place.escrow as `0x${string}`,
    token: place.token as `0x${string}`,
    settlerKey: place.settlerKey as `0x${string}`,
    evaluatorKey: place.evaluatorKey as `0x${string}`,
    confirmations: place.confirmations,
    depths: env.CHAIN_CONFIRMATIONS_BY_VALUE,
    replaceAfterMs: place.replaceAfterMs,
    timeoutMs: place.timeoutMs,
  })
  return { world, system: { ...context, ports: { ...context.ports, rail, reached } } }
}
