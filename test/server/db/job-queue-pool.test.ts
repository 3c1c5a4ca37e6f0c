import pg from 'pg'
import { expect, it } from 'vitest'
import { openJobQueuePool, prepareQueue, queueLockSql } from '../../../server/db/job-queue-pool.ts'
import { runSql } from '../../../server/embedded/postgres/postgres.ts'
import { createDatabase } from '../../support/database.ts'

it('outlives a connection that breaks while it is being closed', async () => {
  await using database = await createDatabase()
  const lost: string[] = []
  const pool = openJobQueuePool(database.url, (error) => lost.push(error.message))
  const client = await pool.connect()
  client.release()
  const ended = pool.end()
  // What a server reports that stops at this moment. No one listening would be the end of the process.
  client.emit('error', new Error('terminating connection due to administrator command'))
  await ended
  expect(lost).toEqual(['terminating connection due to administrator command'])
})

it('makes the tables of the queue, also where they are there, and where several hubs begin at once: in sequence', async () => {
  await using database = await createDatabase()
  await runSql(database.url, 'drop schema graphile_worker cascade')
  const first = new pg.Client({ connectionString: database.url })
  await first.connect()
  // The queue's own making of its tables stands two at once for most of the time, so that a race would seldom show.
  await first.query(queueLockSql)
  let made = 0
  const hubs = Array.from({ length: 5 }, () => prepareQueue(database.url).then(() => made++))
  const waiting = `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await runSql(database.url, waiting))[0]).toEqual({ n: 5 })
  const [schema] = await runSql(database.url, `select to_regnamespace('graphile_worker')::text as name`)
  expect([schema, made]).toEqual([{ name: null }, 0])
  await first.end()
  await Promise.all(hubs)
  await prepareQueue(database.url)
  const [jobs] = await runSql(database.url, 'select count(*)::int as waiting from graphile_worker.jobs')
  expect(jobs).toEqual({ waiting: 0 })
})
