import type { Actor, Context } from '../context.ts'
import { rateNetwork } from '../http/client-address.ts'
import type { Ports } from '../ports.ts'
import { rateExceeded } from './errors.ts'
import { type CostClass, rateLimits } from './rate-limits.ts'

/** Rate limiting by token buckets, one for each cost class and actor or network address. */

/** `movedAt`: when it was last put behind all others. */
type Bucket = { tokens: number; at: number; reorderedAt: number }
/** Buckets kept per process; the one that was used longest ago goes first. A forgotten bucket is a full one. */
const maxBuckets = 20_000
/** So many sources' worth of requests are admitted from one IPv6 network, so that its 65,536 prefixes neither share a limit nor escape it. */
const networkShare = 16
/** One that is in use is put behind the others this often: with each message it would cost more than all else here. */
const reorderEveryMs = 1_000
/** One set of buckets for each composition of the server, so that two in one process don't share them. */
const bucketsByPorts = new WeakMap<Ports, Map<string, Bucket>>()

function bucketKey(actor: Actor, source: string): string {
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
  consumeRate(ctx, costClass, source)
}

/**
 * Takes one message out of the room's bucket. For those who are known to be members: a stranger must not use it up.
 * @throws rate.exceeded with the seconds to wait
 */
export function consumeRoomRate(ctx: Context, groupId: string): void {
  takeToken(ctx, 'room', groupId)
}

/** As `admitRate`, at once. @throws rate.exceeded with the seconds to wait */
export function consumeRate(ctx: Context, costClass: CostClass, source: string): void {
  if (ctx.actor.kind === 'system') return
  const who = bucketKey(ctx.actor, source)
  const network = ctx.actor.kind === 'anonymous' ? rateNetwork(source) : null
  // A source that has used its own up takes nothing of its neighbours, and a used-up network makes no bucket for each source in it.
  if (network !== null && tokensLeft(ctx, costClass, who) >= 1) takeToken(ctx, costClass, `in:${network}`, networkShare)
  takeToken(ctx, costClass, who)
}

/** Takes nothing. @throws rate.exceeded with the seconds to wait, where there is nothing to take */
export function requireRateLeft(ctx: Context, costClass: CostClass, source: string): void {
  if (ctx.actor.kind === 'system') return
  const network = ctx.actor.kind === 'anonymous' ? rateNetwork(source) : null
  if (network !== null) requireToken(costClass, tokensLeft(ctx, costClass, `in:${network}`, networkShare), networkShare)
  requireToken(costClass, tokensLeft(ctx, costClass, bucketKey(ctx.actor, source)))
}

function tokensLeft(ctx: Context, costClass: CostClass, who: string, share = 1): number {
  return tokensOf(costClass, bucketsFor(ctx).get(`${costClass} ${who}`), ctx.clock.now().getTime(), share)
}

/** What is in the bucket now; one that isn't kept is full. `share`: how many sources' worth it holds. */
function tokensOf(costClass: CostClass, bucket: Bucket | undefined, now: number, share: number): number {
  const { burst, perSecond } = rateLimits[costClass]
  const maxTokens = burst * share
  return bucket ? Math.min(maxTokens, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * perSecond * share) : maxTokens
}

function bucketsFor({ ports }: Context): Map<string, Bucket> {
  const buckets = bucketsByPorts.get(ports) ?? new Map<string, Bucket>()
  bucketsByPorts.set(ports, buckets)
  return buckets
}

function takeToken(ctx: Context, costClass: CostClass, who: string, share = 1): void {
  const buckets = bucketsFor(ctx)
  const key = `${costClass} ${who}`
  const now = ctx.clock.now().getTime()
  const kept = buckets.get(key)
  const tokens = tokensOf(costClass, kept, now, share)
  const bucket = kept ?? { tokens, at: now, reorderedAt: now }
  bucket.tokens = tokens >= 1 ? tokens - 1 : tokens
  bucket.at = now
  if (!kept || Math.abs(now - bucket.reorderedAt) >= reorderEveryMs) {
    bucket.reorderedAt = now
    buckets.delete(key)
    buckets.set(key, bucket)
    for (const oldest of buckets.keys()) {
      if (buckets.size <= maxBuckets) break
      buckets.delete(oldest)
    }
  }
  requireToken(costClass, tokens, share)
}

function requireToken(costClass: CostClass, tokens: number, share = 1): void {
  if (tokens < 1) throw rateExceeded(costClass, Math.ceil((1 - tokens) / (rateLimits[costClass].perSecond * share)))
}
