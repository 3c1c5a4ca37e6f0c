import type { Context } from '../context.ts'

export type AuditView = { readonly n: number; readonly at: string; readonly actor: string; readonly action: string; readonly hash: string }

/** The rows of one object, oldest first. The caller checks access. */
export async function listAudit(ctx: Context, stream: string): Promise<AuditView[]> {
  const rows = await ctx.db.auditEntry.findMany({ where: { chain: stream }, orderBy: { n: 'asc' }, take: 1_000 })
  return rows.map((row) => ({ n: row.n, at: row.at.toISOString(), actor: row.actor, action: row.action, hash: row.hash }))
}
