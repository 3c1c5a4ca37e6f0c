import type { Context } from '../context.ts'
import { requireOperator } from '../policy/index.ts'
import { countForeignListings } from '../registry/index.ts'

/** A peer for operators. `listings`: how many of its agents are listed here now. */
export type PeerView = {
  readonly origin: string
  readonly serverDid: string
  readonly hubUrl: string
  readonly addedAt: Date
  readonly readAt: Date | null
  readonly nextSyncAt: Date
  readonly failures: number
  /** The last failure, in one sentence. */
  readonly problem: string | null
  readonly refused: number
  readonly refusal: string | null
  readonly listings: number
}

/** @throws permission.denied except for operators */
export async function listPeers(ctx: Context): Promise<PeerView[]> {
  requireOperator(ctx, 'peer.list')
  const [rows, counts] = await Promise.all([
    ctx.db.peer.findMany({
      where: { removedAt: null },
      orderBy: { origin: 'asc' },
      omit: { cursor: true, etag: true, fullSyncAt: true, removedAt: true, addedBy: true },
    }),
    countForeignListings(ctx),
  ])
  return rows.map((row) => ({ ...row, listings: counts.get(row.origin) ?? 0 }))
}
