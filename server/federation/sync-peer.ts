import { readStatement, scalarText } from '@parley/protocol'
import type { Context } from '../context.ts'
import { inTransaction, isUniqueViolation } from '../db.ts'
import { DomainError } from '../errors.ts'
import { type StoreResult, storeForeignListing } from '../registry/index.ts'
import { fetchRegistryPage, type ReceivedStatement } from './fetch-registry-page.ts'
import { fullSyncEveryMs, maxPagesPerSync, registrySyncRetryDelay, syncEveryMs, syncLeaseMs } from './registry-sync-policy.ts'

type Peer = NonNullable<Awaited<ReturnType<typeof claimSync>>>

/** Synchronizes all peers that are due, in sequence. */
export async function syncPeers(ctx: Context): Promise<void> {
  const due = await ctx.db.peer.findMany({
    where: { removedAt: null, nextSyncAt: { lte: ctx.clock.now() } },
    orderBy: { nextSyncAt: 'asc' },
    select: { origin: true },
  })
  for (const { origin } of due) await syncPeer(ctx, origin)
}

/**
 * Reads the changes of a peer's registry, or all of it if the last full synchronization is too old. Refused statements are counted and
 * skipped, so that one bad statement does not block the others. Does nothing if the peer is not due.
 */
export async function syncPeer(ctx: Context, origin: string): Promise<void> {
  const peer = await claimSync(ctx, origin)
  if (!peer) return
  let { cursor, etag, refused, refusal } = peer
  let problem: string | null = null
  for (let pages = 0; pages < maxPagesPerSync; pages++) {
    const fetched = await fetchRegistryPage(peer.hubUrl, { after: Number(cursor), etag })
    if (fetched.kind === 'same') break
    if (fetched.kind === 'beyond') {
      // The peer lost or reset its registry. It answers 0 with an error instead, so this happens once per synchronization.
      ;[cursor, etag] = [0n, null]
      continue
    }
    if (fetched.kind === 'trouble') {
      problem = fetched.why
      break
    }
    const { statements, next, has_more } = fetched.page
    if (next < cursor || (has_more && BigInt(next) === cursor)) {
      problem = 'Its pages do not move on.'
      break
    }
    for (const received of statements) {
      const taken = await storeStatement(ctx, peer, received as ReceivedStatement)
      if (taken.stored) continue
      refused++
      refusal = `${(scalarText(received.agent_id) || 'a statement').slice(0, 40)}: ${taken.why}`.slice(0, 500)
    }
    cursor = BigInt(next)
    etag = statements.length === 0 ? fetched.etag : null
    if (!has_more) break
  }
  await recordSync(ctx, peer, { cursor, etag, refused, refusal, problem })
}

/** Takes the lease of a synchronization. Null if it is not due, or if another process has it. */
async function claimSync(ctx: Context, origin: string) {
  const now = ctx.clock.now()
  const { count } = await ctx.db.peer.updateMany({
    where: { origin, removedAt: null, nextSyncAt: { lte: now } },
    data: { nextSyncAt: new Date(now.getTime() + syncLeaseMs) },
  })
  if (count === 0) return null
  const peer = await ctx.db.peer.findUniqueOrThrow({ where: { origin } })
  if (peer.fullSyncAt !== null && peer.fullSyncAt > now) return peer
  return { ...peer, cursor: 0n, etag: null, refused: 0, refusal: null, fullSyncAt: new Date(now.getTime() + fullSyncEveryMs) }
}

async function storeStatement(ctx: Context, peer: Peer, received: ReceivedStatement): Promise<StoreResult> {
  const from = { issuer: peer.serverDid, origin: peer.origin, now: ctx.clock.now().getTime() }
  const read = await readStatement(received, from)
  if (read.fault !== null) return { stored: false, why: read.fault.detail }
  try {
    return await inTransaction(ctx, async (tx) => {
      // The peer was removed or replaced in the meantime: statements under its old key no longer count.
      const standing = await tx.db.$queryRaw<unknown[]>`
        select 1 from "peer" where "origin" = ${peer.origin} and "addedAt" = ${peer.addedAt} and "removedAt" is null for share`
      return standing.length > 0 ? storeForeignListing(tx, read.statement) : { stored: false, why: 'The peer was removed.' }
    })
  } catch (error) {
    if (error instanceof DomainError) return { stored: false, why: error.message }
    if (isUniqueViolation(error)) return { stored: false, why: 'Its key belongs to another agent of this market.' }
    throw error
  }
}

type SyncResult = Pick<Peer, 'cursor' | 'etag' | 'refused' | 'refusal' | 'problem'>

async function recordSync(ctx: Context, peer: Peer, outcome: SyncResult): Promise<void> {
  const now = ctx.clock.now()
  const failures = outcome.problem === null ? 0 : peer.failures + 1
  const pause = outcome.problem === null ? syncEveryMs : registrySyncRetryDelay(failures)
  await ctx.db.peer.updateMany({
    where: { origin: peer.origin, addedAt: peer.addedAt, removedAt: null },
    data: {
      ...outcome,
      failures,
      nextSyncAt: new Date(now.getTime() + pause),
      ...(outcome.problem === null && { readAt: now }),
      fullSyncAt: peer.fullSyncAt,
    },
  })
  if (outcome.problem !== null)
    ctx.log.warn(
      { event: 'peer.sync_failed', origin: peer.origin, problem: outcome.problem, failures },
      'The registry of a peer was not synchronized.',
    )
}
