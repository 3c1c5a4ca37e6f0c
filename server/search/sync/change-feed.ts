/** Change data capture: reads which listings changed, from the rows that triggers write. */
import type { SearchConnection } from '../../db/search-connection.ts'

export type ChangeKind = 'listing' | 'standing' | 'presence'
export type ChangedIds = { readonly [kind in ChangeKind]: readonly string[] }
export type ChangeFeed = {
  /** The changes since the last call: none is missed, and none is given twice. */
  read(connection: SearchConnection): Promise<ChangedIds>
}
type ChangeRow = { xmin: string; id: string | null; xid: string; agentId: string; kind: ChangeKind }

/** How long the rows are kept. A reader that was away for longer must load everything. */
export const changesKeptMs = 600_000

const changesSql = `
  select s.xmin::text as xmin, c."id"::text as id, c."xid"::text as xid, c."agentId", c."kind"
  from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin) s
  left join "search_change" c on c."xid" >= $1::bigint`

/** `xmin`: the first transaction that the reader does not know. */
export function createChangeFeed(xmin: string): ChangeFeed {
  let from = BigInt(xmin)
  /** The rows that were given, of transactions from `from` on. */
  let given = new Map<string, bigint>()
  return {
    async read(connection) {
      // One statement, one snapshot. The next call asks again for transactions that are still open in it.
      const rows = await connection.queryPrepared<ChangeRow>('changes', changesSql, [from.toString()])
      const fresh = rows.filter(({ id }) => id !== null && !given.has(id))
      for (const { id, xid } of fresh) given.set(id as string, BigInt(xid))
      from = BigInt(rows[0]?.xmin ?? from)
      given = new Map([...given].filter(([, xid]) => xid >= from))
      const idsOf = (kind: ChangeKind) => [...new Set(fresh.flatMap((row) => (row.kind === kind ? [row.agentId] : [])))]
      return { listing: idsOf('listing'), standing: idsOf('standing'), presence: idsOf('presence') }
    },
  }
}

/** Deletes the rows that no reader needs any more. */
export async function deleteOldChanges(connection: SearchConnection): Promise<void> {
  await connection.query(`delete from "search_change" where "at" < now() - $1::float8 * interval '1 millisecond'`, [changesKeptMs])
}
