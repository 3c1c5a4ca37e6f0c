import type { Context } from '../../context.ts'
import { entryNotFound } from '../errors.ts'
import { type ContestEntry, entryFromRow } from './entry.ts'

/** The entries of a contest, oldest first. */
export async function listEntriesUnchecked(ctx: Context, goalId: string): Promise<ContestEntry[]> {
  return (await ctx.db.entry.findMany({ where: { goalId }, orderBy: [{ submittedAt: 'asc' }, { id: 'asc' }] })).map(entryFromRow)
}

/** @throws entry.not_found */
export async function getEntryUnchecked(ctx: Context, entryId: string): Promise<ContestEntry> {
  const row = await ctx.db.entry.findUnique({ where: { id: entryId } })
  if (!row) throw entryNotFound(entryId)
  return entryFromRow(row)
}

/** The entry that a contest pays; null if none is chosen. */
export async function findChosenEntry(ctx: Context, goalId: string): Promise<ContestEntry | null> {
  const row = await ctx.db.entry.findFirst({ where: { goalId, state: 'chosen' } })
  return row && entryFromRow(row)
}

/** Saves the fields that `advanceEntry` may change. The goal's row is locked. */
export async function saveEntry(tx: Context, { id, state, verdict, reason, decidedAt }: ContestEntry): Promise<void> {
  await tx.db.entry.update({
    where: { id },
    data: { state, reason, decidedAt, isPassed: verdict?.isPassed ?? null, checkReasons: [...(verdict?.reasons ?? [])] },
  })
}

/** Removes the text and the list of files of an entry. */
export async function eraseEntryContent(tx: Context, entryId: string): Promise<void> {
  await tx.db.entry.update({ where: { id: entryId }, data: { text: '', files: [], checkReasons: [], erasedAt: tx.clock.now() } })
}

/** Whether an entry has a file with this hash. */
export async function isEntryFile(ctx: Context, sha256: string): Promise<boolean> {
  return (await ctx.db.entry.count({ where: { files: { array_contains: [{ sha256 }] } } })) > 0
}
