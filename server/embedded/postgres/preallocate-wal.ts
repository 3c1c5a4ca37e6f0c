import fs from 'node:fs'
import { runSql } from './postgres.ts'

const look = `
  select pg_size_bytes(current_setting('wal_segment_size')) as each,
         pg_size_bytes(current_setting('min_wal_size')) / pg_size_bytes(current_setting('wal_segment_size')) as wanted,
         count(*) filter (where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_lsn())) as ahead
    from pg_ls_waldir()`

const make = (count: number) => `
  do $$ begin
    for _ in 1..${count} loop
      perform pg_logical_emit_message(false, 'parley', '');
      perform pg_switch_wal();
    end loop;
  end $$`

/**
 * Makes the files of PostgreSQL's log as far ahead as it keeps them anyway (`min_wal_size`). A new server has none: whoever writes
 * makes the next one, 16 MB that are written and synced once for nothing, and everybody waits 30 ms and more for it; later ones are
 * files of before, used anew. `bytesFree`: on its disk; where that is little, nothing is made. Answers how many were.
 * @throws where the server can't be asked, or not by this user: who owns it may
 */
export async function growLog(url: string, bytesFree: number): Promise<number> {
  const [row] = await runSql(url, look)
  const [each, wanted, ahead] = [Number(row?.each), Number(row?.wanted), Number(row?.ahead)]
  const missing = wanted - ahead
  if (missing < wanted / 4 || bytesFree < 4 * wanted * each) return 0
  await runSql(url, make(missing))
  await runSql(url, 'checkpoint')
  return missing
}

/** The same for a server of our own, beside whatever goes on: where it fails, PostgreSQL makes them one by one, as ever. */
export function growOwnLog(url: string, dataDir: string): void {
  const { bavail, bsize } = fs.statfsSync(dataDir)
  growLog(url, bavail * bsize).catch(() => undefined)
}
