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
 * Creates PostgreSQL's WAL files up to `min_wal_size`. A new server has none: the next writer creates one of 16 MB and syncs it, and all
 * writers wait at least 30 ms. Later files are recycled. `bytesFree`: of its disk; if that is low, creates none. Returns the number of
 * created files.
 * @throws if the server cannot be queried, or not by this user
 */
export async function preallocateWal(url: string, bytesFree: number): Promise<number> {
  const [row] = await runSql(url, look)
  const [each, wanted, ahead] = [Number(row?.each), Number(row?.wanted), Number(row?.ahead)]
  const missing = wanted - ahead
  if (missing < wanted / 4 || bytesFree < 4 * wanted * each) return 0
  await runSql(url, make(missing))
  await runSql(url, 'checkpoint')
  return missing
}

/** The same for our own server, in the background. After a failure PostgreSQL creates the files as usual. */
export function preallocateOwnWal(url: string, dataDir: string): void {
  const { bavail, bsize } = fs.statfsSync(dataDir)
  preallocateWal(url, bavail * bsize).catch(() => undefined)
}
