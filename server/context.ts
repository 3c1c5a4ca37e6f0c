import type { AgentDid, ApiScope, DelegationTerms, PersonDid } from '@parley/protocol'
import type { Clock } from './clock.ts'
import type { Database } from './db.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import type { Ports, Trace } from './ports.ts'

/** A delegation that this server has verified. `canonical`: its canonical JSON, as each signature under it contains it. */
export type VerifiedDelegation = DelegationTerms & { readonly canonical: string }

/** Who acts. Every permission check starts here. */
export type Actor =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'person'
      readonly did: PersonDid
      readonly address: `0x${string}`
      readonly isOperator: boolean
      /** What an API token may change; absent for a login in a browser, which may do everything. */
      readonly scopes?: readonly ApiScope[]
    }
  | {
      readonly kind: 'agent'
      readonly did: AgentDid
      readonly agentId: string
      readonly ownerDid: string
      readonly hasKey: boolean
      /** Of the connection, if the agent gave one. */
      readonly delegation?: VerifiedDelegation
    }
  | { readonly kind: 'system'; readonly name: 'jobs' | 'chain' | 'clock' | 'setup' }

/** The settlement chain, contracts and terms of this market. Constant during the life of a process. */
export type Market = {
  readonly serverDid: `did:key:${string}`
  readonly publicUrl: string
  readonly hubUrl: string
  readonly chainId: number
  /** The CAIP-19 id of the settlement token. */
  readonly asset: string
  readonly symbol: string
  readonly decimals: number
  readonly token: `0x${string}`
  readonly escrow: `0x${string}`
  /** The contract of the payment channels for calls; null if calls are not offered. */
  readonly channels: `0x${string}` | null
  readonly feeBps: number
  readonly feeTo: `0x${string}`
  /** The maximum of unclaimed earnings before a claim is due, in base units: per channel, and per payer and publisher. */
  readonly exposure: { readonly perChannel: bigint; readonly perPayer: bigint }
  /** The minimum budget of a goal, in base units. Smaller ones are not worth the gas. */
  readonly minBudget: bigint
  /** How many goals per wallet and day are funded at the server's gas. */
  readonly fundingsPerDay: number
  readonly evaluator: `0x${string}`
  /** Rules on disputed steps; the zero address if disputes are not offered. */
  readonly arbitrator: `0x${string}`
  /** Wallets of operators, in lower case. */
  readonly operators: readonly string[]
  /** How many listings one wallet may have at a time. */
  readonly listingsPerWallet: number
  /** The owner of the built-in agents; null if there is none. */
  readonly housePublisher: PersonDid | null
  /** A chain without value: it offers a development wallet, test money and publishing without a login. */
  readonly isLocalChain: boolean
  /** Settlements that become due within this time share one transaction. Milliseconds. */
  readonly settlementWindowMs: number
  /** Whether goals may be paid by card: `demo` is a fake on this machine, `test` is Stripe's test mode. */
  readonly cards: 'none' | 'demo' | 'test' | 'live'
}

/** Everything that a command handler may use. `db`: the transaction's client inside `inTransaction`. */
export type Context = {
  readonly actor: Actor
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly ports: Ports
  readonly market: Market
  /** Null if the request belongs to no trace. */
  readonly trace: Trace | null
}

/** The same context for another actor. */
export function actingAs(ctx: Context, actor: Actor): Context {
  return { ...ctx, actor }
}

/** The identifier of the actor in audit rows. */
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
 * Whether the actor may read the operator pages: operators, jobs, and on a local chain without named operators everyone who has signed
 * in.
 */
export function mayReadOperatorPages({ actor, market }: Pick<Context, 'actor' | 'market'>): boolean {
  return mayOperate({ actor }) || (actor.kind === 'person' && market.isLocalChain && market.operators.length === 0)
}

/** Operators, and the server's own jobs. */
export function mayOperate({ actor }: Pick<Context, 'actor'>): boolean {
  return actor.kind === 'system' || (actor.kind === 'person' && actor.isOperator)
}
