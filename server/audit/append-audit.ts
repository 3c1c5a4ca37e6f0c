import { createHash } from 'node:crypto'
import { canonicalize, type Json } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { Prisma } from '../db.ts'

/** `stream`: the id of the object that changed; its rows form one hash chain, column `chain`. `before`, `after`: the relevant values, without secrets. */
export type AuditEntry = { readonly stream: string; readonly action: string; readonly before?: unknown; readonly after?: unknown }

/** Converts dates to RFC 3339 and bigints to decimal strings, and leaves `undefined` out. */
function toJson(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))) as Json
}

/** Writes the row in the caller's transaction, so that no change commits without its audit row. */
export async function appendAudit(tx: Context, entry: AuditEntry): Promise<void> {
  // Two commands on one object would take the same number. The function locks the stream, so the second waits.
  const [last] = await tx.db.$queryRaw<{ n: number; hash: string }[]>`select "n", "hash" from "last_audit_entry"(${entry.stream})`
  const row = {
    chain: entry.stream,
    n: (last?.n ?? 0) + 1,
    at: tx.clock.now().toISOString(),
    actor: actorName(tx.actor),
    action: entry.action,
  }
  const before = toJson(entry.before)
  const after = toJson(entry.after)
  const previous = last?.hash ?? '0'.repeat(64)
  const hash = createHash('sha256')
    .update(canonicalize({ ...row, before: before ?? null, after: after ?? null, previous }))
    .digest('hex')
  await tx.db.auditEntry.create({
    data: {
      id: tx.ids.next('aud'),
      ...row,
      before: before === null || before === undefined ? Prisma.JsonNull : before,
      after: after === null || after === undefined ? Prisma.JsonNull : after,
      previous,
      hash,
    },
  })
}
