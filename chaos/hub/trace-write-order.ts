import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seedAgents } from '../../bench/hub/seed-agents.ts'
import { createDatabaseOn } from '../../test/support/create-database-on.ts'
import { startTestCluster } from '../../test/support/postgres-cluster.ts'
import { startHubUnderTest } from './hub-under-test.ts'
import { startLoadClient } from './load-client.ts'
import { readSystemCallTrace } from './read-system-call-trace.ts'

const calls = 'pwrite64,pwritev,pwritev2,fsync,fdatasync,write,writev,sendto,sendmsg'

/**
 * Posts `count` messages in sequence while strace records the system calls of the hub and of PostgreSQL. Every ack and every delivery must
 * follow a write of its message to the log, and a sync of the log.
 * @throws where there is no strace, or it may not look at others
 */
export async function traceWriteOrder(count: number): Promise<{ missed: string[]; figures: Record<string, unknown> }> {
  if (spawnSync('strace', ['-V'], { stdio: 'ignore' }).status !== 0)
    throw new Error('strace was not found. Install it (on Debian: apt-get install strace).')
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-trace-'))
  const cluster = await startTestCluster({ isDurable: true })
  const database = await createDatabaseOn(cluster.admin)
  const hub = await startHubUnderTest(database.url)
  const [actor] = await seedAgents(database.url, 1, 1, 1)
  if (!actor) throw new RangeError('a cast without an actor')
  // Said three times in its text, an id stands whole on one of the log's pages at least.
  const client = startLoadClient(`${hub.url}/v1/ws`, actor, Math.random, { duplicates: 0, textOf: (id) => `${id} ${id} ${id}` })
  try {
    // The first say finds the room and opens connections; what is traced goes the usual way.
    for (let index = 0; index < 5; index++) await postOne()
    const file = path.join(folder, 'trace')
    const looked = [hub.pid(), ...familyOf(cluster.pid())]
    const tracer = spawn(
      'strace',
      ['-f', '-ttt', '-y', '-s', '65536', '-e', `trace=${calls}`, '-o', file, ...looked.flatMap((pid) => ['-p', `${pid}`])],
      {
        stdio: 'ignore',
      },
    )
    const ended = new Promise((done) => tracer.once('exit', done))
    await pause(2_000)
    if (tracer.exitCode !== null) throw new Error(`strace ended with ${tracer.exitCode}: it may not look at other processes here`)
    for (let index = 0; index < count; index++) await postOne()
    tracer.kill('SIGINT')
    await ended
    const found = readSystemCallTrace(readFileSync(file, 'utf8').split('\n'))
    const missed = [
      ...(found.acks < count ? [`void: ${found.acks} acks were seen of ${count}`] : []),
      ...(found.early > 0 ? [`${found.early} frames left before what they say was on the disk`] : []),
    ]
    return { missed, figures: { count, ...found } }
  } finally {
    client.close()
    await hub.kill()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }

  async function postOne(): Promise<void> {
    while (!client.isConnected()) await pause(10)
    const before = client.cursor()
    await client.postNext()
    while (client.unanswered() > 0 || client.cursor() === before) await pause(1)
  }
}

const statOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

function familyOf(pid: number): number[] {
  const others = readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0)
  return [pid, ...others.filter((one) => parentOf(one) === pid)]
}

function parentOf(pid: number): number {
  try {
    return Number(statOf(pid)[1])
  } catch {
    return 0
  }
}
