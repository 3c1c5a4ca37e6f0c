import type { Reconciliation as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import type { Reconciliation } from './reconciliation.ts'

export type StoredReconciliation = {
  readonly id: string
  readonly at: Date
  readonly mode: 'full' | 'incremental'
  readonly durationMs: number
  readonly fromBlock: number
  readonly toBlock: number
  readonly matched: number
  readonly isBalanced: boolean
  /** The report, with amounts as decimal strings. */
  readonly report: { readonly [P in keyof Reconciliation]: unknown }
}
/** Ledger and chain matched up to here. */
export type Checkpoint = { readonly block: number; readonly blockHash: string; readonly at: Date }

/** The reconciliation with this id, or the newest; null if there is none. */
export async function getReconciliation(ctx: Context, id?: string): Promise<StoredReconciliation | null> {
  const row = await ctx.db.reconciliation.findFirst({ where: id === undefined ? {} : { id }, orderBy: { at: 'desc' } })
  return row && readRow(row)
}

/** Newest first, without reports. */
export async function listReconciliations(ctx: Context, limit = 30): Promise<Omit<StoredReconciliation, 'report'>[]> {
  const rows = await ctx.db.reconciliation.findMany({ orderBy: { at: 'desc' }, take: limit, omit: { report: true } })
  return rows.map(readFacts)
}

export async function findCheckpoint(ctx: Context): Promise<Checkpoint | null> {
  const row = await ctx.db.reconciliation.findFirst({ where: { chainId: ctx.market.chainId }, orderBy: { at: 'desc' } })
  return row && { block: row.balancedBlock, blockHash: row.balancedBlockHash, at: row.at }
}

function readRow(row: Row): StoredReconciliation {
  return { ...readFacts(row), report: row.report as StoredReconciliation['report'] }
}

function readFacts(row: Omit<Row, 'report'>): Omit<StoredReconciliation, 'report'> {
  const { id, at, durationMs, fromBlock, toBlock, matched, isBalanced } = row
  return { id, at, mode: row.mode === 'full' ? 'full' : 'incremental', durationMs, fromBlock, toBlock, matched, isBalanced }
}
