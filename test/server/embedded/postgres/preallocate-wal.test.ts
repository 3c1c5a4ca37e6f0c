import { expect, it } from 'vitest'
import { runSql } from '../../../../server/embedded/postgres/postgres.ts'
import { preallocateWal } from '../../../../server/embedded/postgres/preallocate-wal.ts'
import { startTestCluster } from '../../../support/postgres-cluster.ts'

const plenty = 2 ** 40

it('makes the files of a new log once, which are reused from then on, and none where the disk has little room', async () => {
  const cluster = await startTestCluster({ isDurable: true, settings: { min_wal_size: '160MB' } })
  const files = async () => {
    const [row] = await runSql(cluster.admin, "select count(*) from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'")
    return Number(row?.count)
  }
  try {
    const before = await files()
    expect(await preallocateWal(cluster.admin, 2 ** 20)).toBe(0)
    expect(await files()).toBe(before)
    expect(await preallocateWal(cluster.admin, plenty)).toBeGreaterThanOrEqual(8)
    const grown = await files()
    expect(grown).toBeGreaterThanOrEqual(10)
    expect(await preallocateWal(cluster.admin, plenty)).toBe(0)
    for (let at = 0; at < 5; at++) await runSql(cluster.admin, "select pg_logical_emit_message(false, 'a', 'b'); select pg_switch_wal()")
    expect(await files()).toBe(grown)
  } finally {
    await cluster.stop()
  }
})
