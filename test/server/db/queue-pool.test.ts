import { expect, it } from 'vitest'
import { openQueuePool, prepareQueue } from '../../../server/db/queue-pool.ts'
import { runSql } from '../../../server/embedded/postgres.ts'
import { createDatabase } from '../../support/database.ts'

it('outlives a connection that breaks while it is being closed', async () => {
  await using database = await createDatabase()
  const lost: string[] = []
  const pool = openQueuePool(database.url, (error) => lost.push(error.message))
  const client = await pool.connect()
  client.release()
  const ended = pool.end()
  // What a server says that stops at this moment. Nobody listening would be the end of the process.
  client.emit('error', new Error('terminating connection due to administrator command'))
  await ended
  expect(lost).toEqual(['terminating connection due to administrator command'])
})

it('makes the tables of the queue, also where they are there, and where several hubs begin at once', async () => {
  await using database = await createDatabase()
  await runSql(database.url, 'drop schema graphile_worker cascade')
  await Promise.all(Array.from({ length: 5 }, () => prepareQueue(database.url)))
  await prepareQueue(database.url)
  const [jobs] = await runSql(database.url, 'select count(*)::int as waiting from graphile_worker.jobs')
  expect(jobs).toEqual({ waiting: 0 })
})
