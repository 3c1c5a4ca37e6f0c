import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runSql } from '../../server/embedded/postgres/postgres.ts'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { bareHub } from '../support/bare-hub-environment.ts'
import { createDatabase } from '../support/database.ts'

// What only a hang reaches: whole processes begin here, also beside much other work.
const [beginsWithin, endsWithin] = [{ timeout: 120_000 }, 400_000]

const rowOf = (name: string) =>
  `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at) values (gen_random_uuid(), '', '${name}', now(), now())`

/** The hub as operators run it. */
async function beginHub(databaseUrl: string) {
  const port = await anyFreePort()
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, '../../server/main.ts')], {
    env: { ...process.env, ...bareHub(databaseUrl, { HUB_PORT: String(port) }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stderr?.on('data', (text) => {
    output += text
  })
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return response && { status: response.status, ...((await response.json()) as { ok: boolean; why?: string }) }
  }
  return { child, output: () => output, ready }
}

describe('a hub that begins', () => {
  it(
    'before its migrations states what to do, leaves the database alone, and begins once they are there',
    async () => {
      await using database = await createDatabase()
      const { url } = database
      const [last] = await runSql(url, 'select max(migration_name) as name from _prisma_migrations')
      const undo = `update _prisma_migrations set finished_at = null where migration_name = '${last?.name}'`
      await runSql(url, `${undo}; drop schema if exists graphile_worker cascade`)
      const early = await beginHub(url)
      expect((await once(early.child, 'close'))[0]).toBe(1)
      expect(early.output()).toBe(`The database lacks ${last?.name}: run \`npm run db:deploy\` of this version, then start it again.\n`)
      expect(await runSql(url, `select to_regnamespace('graphile_worker') as made`)).toEqual([{ made: null }])
      await runSql(url, `update _prisma_migrations set finished_at = now() where migration_name = '${last?.name}'`)
      const { ready } = await beginHub(url)
      await expect.poll(ready, beginsWithin).toEqual({ status: 200, ok: true })
      // A backup that was put back is older than the hub.
      await runSql(url, undo)
      expect(await ready()).toMatchObject({ status: 503, ok: false, why: expect.stringContaining('npm run db:deploy') })
    },
    endsWithin,
  )

  it(
    'on tables that have got more works on them, and on those that have lost what it needs wants no traffic and begins no more',
    async () => {
      await using database = await createDatabase()
      const { url } = database
      await runSql(url, rowOf('99990101000000_more'))
      const { ready } = await beginHub(url)
      await expect.poll(ready, beginsWithin).toEqual({ status: 200, ok: true })
      await runSql(url, rowOf('99990102000000_less_contract_99990101000000'))
      const beyond = expect.stringContaining('start a version that has the migration of 99990101000000')
      expect(await ready()).toEqual({ status: 503, ok: false, why: beyond })
      const late = await beginHub(url)
      expect((await once(late.child, 'close'))[0]).toBe(1)
      expect(late.output()).toEqual(beyond)
    },
    endsWithin,
  )
})
