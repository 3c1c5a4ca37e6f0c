import { readStatement, scalarText } from '@parley/protocol'
import type { Context } from '../context.ts'
import { inTransaction, isUniqueViolation } from '../db.ts'
import { DomainError } from '../errors.ts'
import { type Kept, keepForeign } from '../registry/index.ts'
import { fetchPage, type Received } from './fetch-registry-page.ts'
import { pagesPerRead, pauseAfter, readEveryMs, readLeaseMs, renewEveryMs } from './peer.ts'

type Peer = NonNullable<Awaited<ReturnType<typeof claim>>>

/** Reads every peer whose time has come, one after the other. */
export async function readPeers(ctx: Context): Promise<void> {
  const due = await ctx.db.peer.findMany({
    where: { removedAt: null, nextReadAt: { lte: ctx.clock.now() } },
    orderBy: { nextReadAt: 'asc' },
    select: { origin: true },
  })
  for (const { origin } of due) await readPeer(ctx, origin)
}

/**
 * Reads what a peer's registry has changed since the last time, or all of it where that was long ago. What is refused is
 * counted and passed over, so that one bad statement does not stand before the others. Not due, it does nothing.
 */
export async function readPeer(ctx: Context, origin: string): Promise<void> {
  const peer = await claim(ctx, origin)
  if (!peer) return
  let { cursor, etag, refused, refusal } = peer
  let problem: string | null = null
  for (let pages = 0; pages < pagesPerRead; pages++) {
    const fetched = await fetchPage(peer.hubUrl, { after: Number(cursor), etag })
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
      const taken = await take(ctx, peer, received as Received)
      if (taken.kept) continue
      refused++
      refusal = `${(scalarText(received.agent_id) || 'a statement').slice(0, 40)}: ${taken.why}`.slice(0, 500)
    }
    cursor = BigInt(next)
    etag = statements.length === 0 ? fetched.etag : null
    if (!more) break
  }
  await note(ctx, peer, { cursor, etag, refused, refusal, problem })
}

/** Takes the reading on for this process. Null where it is not due, or another has it. */
async function claim(ctx: Context, origin: string) {
  const now = ctx.clock.now()
  const { count } = await ctx.db.peer.updateMany({
    where: { origin, removedAt: null, nextReadAt: { lte: now } },
    data: { nextReadAt: new Date(now.getTime() + readLeaseMs) },
  })
  if (count === 0) return null
  const peer = await ctx.db.peer.findUniqueOrThrow({ where: { origin } })
  if (peer.renewAt !== null && peer.renewAt > now) return peer
  return { ...peer, cursor: 0n, etag: null, refused: 0, refusal: null, renewAt: new Date(now.getTime() + renewEveryMs) }
}

async function take(ctx: Context, peer: Peer, received: Received): Promise<Kept> {
  const from = { issuer: peer.serverDid, origin: peer.origin, now: ctx.clock.now().getTime() }
  const read = await readStatement(received, from)
  if (read.fault !== null) return { kept: false, why: read.fault.detail }
  try {
    return await inTransaction(ctx, async (tx) => {
      // Removed or named anew meanwhile: what its former key says counts no more.
      const standing = await tx.db.$queryRaw<unknown[]>`
        select 1 from "peer" where "origin" = ${peer.origin} and "addedAt" = ${peer.addedAt} and "removedAt" is null for share`
      return standing.length > 0 ? keepForeign(tx, read.statement) : { kept: false, why: 'The peer was removed.' }
    })
  } catch (error) {
    if (error instanceof DomainError) return { kept: false, why: error.message }
    if (isUniqueViolation(error)) return { kept: false, why: 'Its key is another agent’s here.' }
    throw error
  }
}

type Outcome = Pick<Peer, 'cursor' | 'etag' | 'refused' | 'refusal' | 'problem'>

async function note(ctx: Context, peer: Peer, outcome: Outcome): Promise<void> {
  const now = ctx.clock.now()
  const failures = outcome.problem === null ? 0 : peer.failures + 1
  const pause = outcome.problem === null ? readEveryMs : pauseAfter(failures)
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
