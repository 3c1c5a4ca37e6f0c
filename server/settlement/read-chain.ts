import { actingAs, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import type { EscrowEvent } from '../ports.ts'
import { recordRailEvents } from './record-rail-events.ts'
import { requireChain } from './require-chain.ts'
import { rewindCursor } from './rewind-cursor.ts'

/** Nodes limit how many blocks one question may span. */
const rangeBlocks = 2_000

type Cursor = { readonly block: number; readonly blockHash: string }

/**
 * Reads the escrow's log up to the newest final block and applies it. Each range is one database transaction with the
 * cursor's own step, so it is applied once, whoever reads and whoever dies.
 */
export async function readChain(ctx: Context): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { rail } = system.ports
  await requireChain(system)
  let cursor = await getCursor(system)
  const head = await rail.head()
  const last = head.number - rail.confirmations
  if ((await rail.blockHash(cursor.block)) !== cursor.blockHash) {
    const rewound = await rewindCursor(system, cursor, head.number)
    if (!rewound) return
    cursor = rewound
  }
  while (cursor.block < last) {
    const next = await readRange(system, cursor, Math.min(last, cursor.block + rangeBlocks))
    if (!next) return
    cursor = next
  }
}

async function getCursor(ctx: Context): Promise<Cursor> {
  return ctx.db.chainCursor.findUniqueOrThrow({ where: { chainId: ctx.market.chainId } })
}

/** One range. Null where the chain or another reader has moved meanwhile: the next reading takes it from there. */
async function readRange(ctx: Context, from: Cursor, toBlock: number): Promise<Cursor | null> {
  const { rail } = ctx.ports
  const { chainId } = ctx.market
  const blockHash = await rail.blockHash(toBlock)
  const events = await rail.readEvents(from.block + 1, toBlock)
  if (blockHash === null || (await rail.blockHash(toBlock)) !== blockHash) return null
  return inTransaction(ctx, async (tx) => {
    const [cursor] = await tx.db.$queryRaw<
      Cursor[]
    >`select "block", "blockHash" from "chain_cursor" where "chainId" = ${chainId} for update`
    if (cursor?.block !== from.block || cursor.blockHash !== from.blockHash) return null
    await tx.db.chainLog.createMany({
      data: events.map(({ at, ...event }) => ({ chainId, ...event, at: new Date(at * 1_000) })),
      skipDuplicates: true,
    })
    for (const group of groupEvents(events)) await recordRailEvents(tx, group)
    await tx.db.chainCursor.update({ where: { chainId }, data: { block: toBlock, blockHash } })
    return { block: toBlock, blockHash }
  })
}

/** By transaction and plan, in the chain's order. */
export function groupEvents(events: readonly EscrowEvent[]): EscrowEvent[][] {
  const ordered = [...events].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  return [...Map.groupBy(ordered, (event) => `${event.txHash} ${event.planId}`).values()]
}
