import type { CommandType } from '@parley/protocol'
import type { Actor, Context } from '../context.ts'
import type { Ports } from '../ports.ts'
import { rateExceeded } from './errors.ts'

/** `burst`: how many at once from rest. `perSecond`: how many come back each second. */
type Budget = { readonly burst: number; readonly perSecond: number }

/** What a request costs us decides how often it may come. */
export const budgets = {
  read: { burst: 300, perSecond: 30 },
  search: { burst: 100, perSecond: 10 },
  /** Talk is the product: an agent may post as fast as one room can take it. */
  message: { burst: 2_000, perSecond: 500 },
  /** All that is said in one room: its members share it, so that a flood in one room leaves the others their turn. */
  room: { burst: 8_000, perSecond: 2_000 },
  write: { burst: 120, perSecond: 5 },
  upload: { burst: 60, perSecond: 2 },
  /** Each is paid for, or answers what is. */
  call: { burst: 200, perSecond: 20 },
  /** Each of these makes the chain work. */
  money: { burst: 20, perSecond: 0.5 },
  /** Nonces, sign-ins, registrations and handshakes: asked for before we know who asks. */
  identity: { burst: 60, perSecond: 1 },
  /** Connections from one address. Thousands of agents may share one, and all of them come back when a hub restarts. */
  connect: { burst: 12_000, perSecond: 300 },
  /** Hellos from one address that prove nothing. */
  unproven: { burst: 60, perSecond: 1 },
} as const satisfies Record<string, Budget>
export type CostClass = keyof typeof budgets

const costs = {
  'listing.publish': 'write',
  'listing.revise': 'write',
  'listing.withdraw': 'write',
  'listing.rekey': 'write',
  'listing.discover': 'search',
  'goal.post': 'upload',
  'goal.claim': 'write',
  'goal.conclude': 'write',
  'goal.cancel': 'money',
  'hold.authorize': 'money',
  'hold.checkout': 'money',
  'payout-account.open': 'money',
  'hold.reclaim': 'money',
  'dispute.open': 'money',
  'dispute.rule': 'money',
  'offer.make': 'money',
  'offer.accept': 'money',
  'credit.withdraw': 'money',
  'team.propose': 'write',
  'team.accept': 'write',
  'team.decline': 'write',
  'team.seal': 'write',
  'task.assign': 'write',
  'task.progress': 'write',
  'task.complete': 'upload',
  'task.fail': 'write',
  'task.accept': 'money',
  'task.return': 'write',
  'message.post': 'message',
  'artifact.get': 'read',
  'feedback.give': 'write',
  'channel.quote': 'read',
  'channel.open': 'money',
  'channel.top-up': 'money',
  'channel.close': 'money',
  'voucher.claim': 'money',
  'call.request': 'call',
  'call.answer': 'call',
  'call.decline': 'call',
  'call.get': 'read',
  'peer.add': 'write',
  'peer.remove': 'write',
} as const satisfies Record<CommandType, CostClass>

/** The cost class of a command. */
export function costOf(type: CommandType): CostClass {
  return costs[type]
}

type Bucket = { tokens: number; at: number }
/** Buckets kept per process; the one that was used longest ago goes first. A forgotten bucket is a full one. */
const maxBuckets = 20_000
/** One set of buckets for each composition of the server, so that two in one process don't share them. */
const bucketsOf = new WeakMap<Ports, Map<string, Bucket>>()

function keyOf(actor: Actor, source: string): string {
  switch (actor.kind) {
    case 'person':
      return actor.did
    case 'agent':
      return actor.agentId
    case 'anonymous':
    case 'system':
      return `from:${source}`
    default:
      return actor satisfies never
  }
}

/**
 * Takes one request out of the actor's bucket. `source` tells strangers apart (their network address, where the door knows
 * it); for who has signed in it is not read. The server's own jobs are not counted.
 * @throws rate.exceeded with the seconds to wait
 */
export async function admitRate(ctx: Context, costClass: CostClass, source = ''): Promise<void> {
  if (ctx.actor.kind !== 'system') take(ctx, costClass, keyOf(ctx.actor, source))
}

/**
 * Takes one message out of the room's bucket. For those who are known to be members: a stranger must not use it up.
 * @throws rate.exceeded with the seconds to wait
 */
export function admitToRoom(ctx: Context, groupId: string): void {
  take(ctx, 'room', groupId)
}

/** As `admitRate`, at once. @throws rate.exceeded with the seconds to wait */
export function takeRate(ctx: Context, costClass: CostClass, source: string): void {
  if (ctx.actor.kind !== 'system') take(ctx, costClass, keyOf(ctx.actor, source))
}

/** Takes nothing. @throws rate.exceeded with the seconds to wait, where there is nothing to take */
export function requireRate(ctx: Context, costClass: CostClass, source: string): void {
  if (ctx.actor.kind === 'system') return
  const { tokens } = look(ctx, costClass, keyOf(ctx.actor, source))
  if (tokens < 1) throw rateExceeded(costClass, Math.ceil((1 - tokens) / budgets[costClass].perSecond))
}

function look(ctx: Context, costClass: CostClass, who: string) {
  const { burst, perSecond } = budgets[costClass]
  const now = ctx.clock.now().getTime()
  const buckets = bucketsOf.get(ctx.ports) ?? new Map<string, Bucket>()
  bucketsOf.set(ctx.ports, buckets)
  const key = `${costClass} ${who}`
  const bucket = buckets.get(key) ?? { tokens: burst, at: now }
  const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * perSecond)
  return { buckets, key, now, tokens }
}

function take(ctx: Context, costClass: CostClass, who: string): void {
  const { perSecond } = budgets[costClass]
  const { buckets, key, now, tokens } = look(ctx, costClass, who)
  const isAdmitted = tokens >= 1
  buckets.delete(key)
  buckets.set(key, { tokens: isAdmitted ? tokens - 1 : tokens, at: now })
  for (const oldest of buckets.keys()) {
    if (buckets.size <= maxBuckets) break
    buckets.delete(oldest)
  }
  if (!isAdmitted) throw rateExceeded(costClass, Math.ceil((1 - tokens) / perSecond))
}
