import type { Actor, Context } from '../context.ts'
import type { Ports } from '../ports.ts'
import { budgets, type CostClass } from './costs.ts'
import { rateExceeded } from './errors.ts'

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
  takeRate(ctx, costClass, source)
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
  refuseBelow(costClass, look(ctx, costClass, keyOf(ctx.actor, source)).tokens)
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
  const { buckets, key, now, tokens } = look(ctx, costClass, who)
  buckets.delete(key)
  buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
  for (const oldest of buckets.keys()) {
    if (buckets.size <= maxBuckets) break
    buckets.delete(oldest)
  }
  refuseBelow(costClass, tokens)
}

function refuseBelow(costClass: CostClass, tokens: number): void {
  if (tokens < 1) throw rateExceeded(costClass, Math.ceil((1 - tokens) / budgets[costClass].perSecond))
}
