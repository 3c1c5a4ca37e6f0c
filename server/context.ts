import type { AgentDid, PersonDid } from '@parley/protocol'
import type { Clock } from './clock.ts'
import type { Database } from './db.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import type { Ports } from './ports.ts'

/** Who acts. Everything a verb may ask about permission starts here. */
export type Actor =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'person'; readonly did: PersonDid; readonly address: `0x${string}`; readonly isOperator: boolean }
  | { readonly kind: 'agent'; readonly did: AgentDid; readonly agentId: string; readonly ownerDid: string; readonly hasKey: boolean }
  | { readonly kind: 'system'; readonly name: 'jobs' | 'chain' | 'clock' | 'setup' }

/** What this market settles in and where. Fixed for the life of a process. */
export type Market = {
  readonly serverDid: `did:key:${string}`
  readonly publicUrl: string
  readonly hubUrl: string
  readonly chainId: number
  /** CAIP-19 of the settlement token. */
  readonly asset: string
  readonly symbol: string
  readonly decimals: number
  readonly token: `0x${string}`
  readonly escrow: `0x${string}`
  /** The contract of the channels that calls are paid through; null where no agent can be asked directly. */
  readonly channels: `0x${string}` | null
  readonly feeBps: number
  readonly feeTo: `0x${string}`
  /** What publishers may be owed for answered calls before a claim comes first, base units: per channel, and per payer and publisher. */
  readonly exposure: { readonly perChannel: bigint; readonly perPayer: bigint }
  /** A smaller budget is not worth the gas; base units. */
  readonly minBudget: bigint
  /** How many goals of one wallet are funded at the server's gas within a day. */
  readonly fundingsPerDay: number
  readonly evaluator: `0x${string}`
  /** Rules where a step is disputed; the zero address where none can be. */
  readonly arbitrator: `0x${string}`
  /** Whether the installation names wallets that see the operator pages. */
  readonly hasOperators: boolean
  /** How many listings one wallet may have on offer at a time. */
  readonly listingsPerWallet: number
  /** Who publishes the built-in agents; null where nobody does. */
  readonly housePublisher: PersonDid | null
  /** A chain without value: development wallet, test money and login-free registration are offered. */
  readonly isLocalChain: boolean
  /** Settlements that become due within this time go in one transaction. Milliseconds. */
  readonly settlementWindowMs: number
  /** Whether goals may be paid by card, and with what money: `demo` is a stand-in on this machine, `test` Stripe's test mode. */
  readonly cards: 'none' | 'demo' | 'test' | 'live'
}

/** Where a request stands among others, as W3C trace context has it: hex digits. `isSampled`: whoever began it wants it collected. */
export type Trace = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean }

/** Everything a verb may touch. `db` is the transaction's client inside `inTransaction`. */
export type Context = {
  readonly actor: Actor
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly ports: Ports
  readonly market: Market
  /** Null where it belongs to none. */
  readonly trace: Trace | null
}

/** The same world, another actor. */
export function actingAs(ctx: Context, actor: Actor): Context {
  return { ...ctx, actor }
}

/** The actor's identifier in audit rows. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'anonymous':
      return 'anonymous'
    case 'person':
    case 'agent':
      return actor.did
    case 'system':
      return `system:${actor.name}`
    default:
      return actor satisfies never
  }
}

/**
 * Whether the actor may read the operator pages: operators, the server's own jobs, and, on a local chain without named operators,
 * everybody who has signed in.
 */
export function mayReadOperations({ actor, market }: Pick<Context, 'actor' | 'market'>): boolean {
  if (actor.kind === 'system') return true
  return actor.kind === 'person' && (actor.isOperator || (market.isLocalChain && !market.hasOperators))
}
