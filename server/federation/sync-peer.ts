import { readStatement, scalarText } from '@parley/protocol'
import type { Context } from '../context.ts'
import { inTransaction, isUniqueViolation } from '../db.ts'
import { DomainError } from '../errors.ts'
import { type StoreResult, storeForeignListing } from '../registry/index.ts'
import { fetchRegistryPage, type ReceivedStatement } from './fetch-registry-page.ts'
import { fullSyncEveryMs, pagesPerSync, retryDelay, syncEveryMs, syncLeaseMs } from './peer.ts'

type Peer = NonNullable<Awaited<ReturnType<typeof claimSync>>>

/** Reads every peer whose time has come, one after the other. */
export async function syncPeers(ctx: Context): Promise<void> {
  const due = await ctx.db.peer.findMany({
    where: { removedAt: null, nextReadAt: { lte: ctx.clock.now() } },
    orderBy: { nextReadAt: 'asc' },
    select: { origin: true },
  })
  for (const { origin } of due) await syncPeer(ctx, origin)
}

/**
 * Reads what a peer's registry has changed since the last time, or all of it where that was long ago. What is refused is
 * counted and passed over, so that one bad statement does not stand before the others. Not due, it does nothing.
 */
export async function syncPeer(ctx: Context, origin: string): Promise<void> {
  const peer = await claimSync(ctx, origin)
  if (!peer) return
  let { cursor, etag, refused, refusal } = peer
  let problem: string | null = null
  for (let pages = 0; pages < pagesPerSync; pages++) {
    const fetched = await fetchRegistryPage(peer.hubUrl, { after: Number(cursor), etag })
    if (fetched.kind === 'same') break
    if (fetched.kind === 'beyond') {
      // Its registry was lost or set back. Refused with 0 it would be trouble, so that this comes once in a reading.
      ;[cursor, etag] = [0n, null]
      continue
    }
    if (fetched.kind === 'trouble') {
      problem = fetched.why
      break
    }
    const { statements, next, more } = fetched.page
    if (next < cursor || (more && BigInt(next) === cursor)) {
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
    if (!more) break
  }
  await recordSync(ctx, peer, { cursor, etag, refused, refusal, problem })
}

/** Takes the reading on for this process. Null where it is not due, or another has it. */
async function claimSync(ctx: Context, origin: string) {
  const now = ctx.clock.now()
  const { count } = await ctx.db.peer.updateMany({
    where: { origin, removedAt: null, nextReadAt: { lte: now } },
    data: { nextReadAt: new Date(now.getTime() + syncLeaseMs) },
  })
  if (count === 0) return null
  const peer = await ctx.db.peer.findUniqueOrThrow({ where: { origin } })
  if (peer.renewAt !== null && peer.renewAt > now) return peer
  return { ...peer, cursor: 0n, etag: null, refused: 0, refusal: null, renewAt: new Date(now.getTime() + fullSyncEveryMs) }
}

async function storeStatement(ctx: Context, peer: Peer, received: ReceivedStatement): Promise<StoreResult> {
  const from = { issuer: peer.serverDid, origin: peer.origin, now: ctx.clock.now().getTime() }
  const read = await readStatement(received, from)
  if (read.fault !== null) return { stored: false, why: read.fault.detail }
  try {
    return await inTransaction(ctx, async (tx) => {
      // Removed or named anew meanwhile: what its former key says counts no more.
      const standing = await tx.db.$queryRaw<unknown[]>`
        select 1 from "peer" where "origin" = ${peer.origin} and "addedAt" = ${peer.addedAt} and "removedAt" is null for share`
      return standing.length > 0 ? storeForeignListing(tx, read.statement) : { stored: false, why: 'The peer was removed.' }
    })
  } catch (error) {
    if (error instanceof DomainError) return { stored: false, why: error.message }
    if (isUniqueViolation(error)) return { stored: false, why: 'Its key is another agent’s here.' }
    throw error
  }
}

type SyncResult = Pick<Peer, 'cursor' | 'etag' | 'refused' | 'refusal' | 'problem'>

async function recordSync(ctx: Context, peer: Peer, outcome: SyncResult): Promise<void> {
  const now = ctx.clock.now()
  const failures = outcome.problem === null ? 0 : peer.failures + 1
  const pause = outcome.problem === null ? syncEveryMs : retryDelay(failures)
  await ctx.db.peer.updateMany({
    where: { origin: peer.origin, addedAt: peer.addedAt, removedAt: null },
    data: {
      ...outcome,
      failures,
      nextReadAt: new Date(now.getTime() + pause),
      ...(outcome.problem === null && { readAt: now }),
      renewAt: peer.renewAt,
    },
  })
  if (outcome.problem !== null) ctx.log.warn({ origin: peer.origin, problem: outcome.problem, failures }, 'a peer could not be read')
}
