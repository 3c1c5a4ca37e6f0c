import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { runSql } from '../../../server/embedded/postgres/postgres.ts'
import { root } from '../../../server/embedded/processes/run-script.ts'
import { createDatabase } from '../../support/database.ts'

const migration = fs.readFileSync(path.join(root, 'prisma/migrations/20261126100000_job_names/migration.sql'), 'utf8')

it('gives jobs that wait under a former name the name that the workers know', async () => {
  await using database = await createDatabase()
  await runSql(
    database.url,
    `select graphile_worker.add_job('react', '{"eventId":"e1"}', job_key => 'e1');
     select graphile_worker.add_job('handle-notice', '{"noticeId":"n1"}', job_key => 'n1');
     select graphile_worker.add_job('handle-event', '{"eventId":"e2"}', job_key => 'e2')`,
  )
  for (let round = 0; round < 2; round++) {
    await runSql(database.url, migration)
    expect(
      await runSql(
        database.url,
        `select "key", "task_identifier" as task, "payload" from graphile_worker.jobs natural join (select id, payload from graphile_worker._private_jobs) p order by 1`,
      ),
    ).toEqual([
      { key: 'e1', task: 'handle-event', payload: { eventId: 'e1' } },
      { key: 'e2', task: 'handle-event', payload: { eventId: 'e2' } },
      { key: 'n1', task: 'handle-webhook-event', payload: { stripeEventId: 'n1' } },
    ])
  }
})

it('changes nothing in a database without a job queue', async () => {
  await using database = await createDatabase()
  await runSql(database.url, 'drop schema graphile_worker cascade')
  await runSql(database.url, migration)
})
