import type { Actor, Context } from '../context.ts'
import { rateNetwork } from '../http/client-ip-address.ts'
import type { Ports } from '../ports.ts'
import { rateExceeded } from './errors.ts'
import { type CostClass, rateLimits } from './rate-limit-policy.ts'

/** Rate limiting by token buckets, one for each cost class and actor or network address. */

/** `reorderedAt`: when the bucket last moved to the end of the map. */
type Bucket = { tokens: number; at: number; reorderedAt: number }
/** The maximum number of buckets per process. The least recently used one is dropped; a dropped bucket counts as full. */
const maxBuckets = 20_000
/** The limit of one IPv6 network, as a multiple of one source, so that its 65,536 prefixes neither share a limit nor bypass it. */
const networkShare = 16
/** How often a bucket moves to the end of the map. Moving it for each message would cost too much. */
const reorderEveryMs = 1_000
type BucketsByPorts = WeakMap<Ports, Map<string, Bucket>>
// The bundler creates several instances of this module. Pages and API routes must share the buckets.
const holder = globalThis as typeof globalThis & { parleyRateBuckets?: BucketsByPorts }
/** One set of buckets for each composition of the server, so that two in one process do not share them. */
const bucketsByPorts: BucketsByPorts = holder.parleyRateBuckets ?? new WeakMap()
holder.parleyRateBuckets = bucketsByPorts

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
 * Takes one token from the actor's bucket. `source`: the rate limit key of an anonymous request; ignored for signed-in actors. The
 * server's own jobs are not limited.
 * @throws rate.exceeded with the seconds to wait
 */
export async function admitRate(ctx: Context, costClass: CostClass, source = ''): Promise<void> {
  consumeRateLimit(ctx, costClass, source)
}

/**
 * Takes one token from the room's bucket. Only for verified members, so that strangers cannot use it up.
 * @throws rate.exceeded with the seconds to wait
 */
export function consumeRoomRate(ctx: Context, roomId: string): void {
  takeToken(ctx, 'room', roomId)
}

/**
 * As `admitRate`, synchronously.
 * @throws rate.exceeded with the seconds to wait
 */
export function consumeRateLimit(ctx: Context, costClass: CostClass, source: string): void {
  if (ctx.actor.kind === 'system') return
  const who = bucketKey(ctx.actor, source)
  const network = ctx.actor.kind === 'anonymous' ? rateNetwork(source) : null
  // A source without tokens takes none from its network, and a network without tokens creates no buckets for its sources.
  if (network !== null && tokensLeft(ctx, costClass, who) >= 1) takeToken(ctx, costClass, `in:${network}`, networkShare)
  takeToken(ctx, costClass, who)
}

/**
 * Takes no token.
 * @throws rate.exceeded with the seconds to wait, if the bucket is empty
 */
export function requireRateLeft(ctx: Context, costClass: CostClass, source: string): void {
  if (ctx.actor.kind === 'system') return
  const network = ctx.actor.kind === 'anonymous' ? rateNetwork(source) : null
  if (network !== null) requireToken(costClass, tokensLeft(ctx, costClass, `in:${network}`, networkShare), networkShare)
  requireToken(costClass, tokensLeft(ctx, costClass, bucketKey(ctx.actor, source)))
}

function tokensLeft(ctx: Context, costClass: CostClass, who: string, share = 1): number {
  return tokensOf(costClass, bucketsFor(ctx).get(`${costClass} ${who}`), ctx.clock.now().getTime(), share)
}

/** The tokens in the bucket now; a dropped bucket is full. `share`: its size as a multiple of one source. */
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
