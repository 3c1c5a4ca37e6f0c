import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { postgresUser } from '../../server/embedded/postgres/data-folder.ts'
import { runSql } from '../../server/embedded/postgres/postgres.ts'
import { freshData, startOn, type TestCluster } from './postgres-cluster.ts'

/** A PostgreSQL with a second one that has on its disk all that the first has answered for, behind one address. */
export type PairedCluster = TestCluster & {
  /** The first dies with all its processes, and the second takes its place. It has none to follow it then. */
  failOver(): Promise<void>
}

/**
 * `env`: for the processes of the first. The second has its own disk, which never fails, because no answer depends on it while it is away.
 * With fsync.
 */
export async function startPairedCluster(env: Record<string, string> = {}): Promise<PairedCluster> {
  const [first, second] = [await freshData(), await freshData()]
  let leader = await startOn(first.dataDir, first.log, {
    careless: false,
    env,
    // A commit is answered once it is on the other's disk too.
    settings: { synchronous_standby_names: '*', synchronous_commit: 'on' },
  })
  const signal = path.join(second.dataDir, 'standby.signal')
  fs.writeFileSync(signal, '')
  if (postgresUser) fs.chownSync(signal, postgresUser.uid, postgresUser.gid)
  const { username, password } = new URL(leader.admin)
  let follower: typeof leader | null = await startOn(second.dataDir, second.log, {
    careless: false,
    settings: { primary_conninfo: `host=127.0.0.1 port=${leader.port} user=${username} password=${password}` },
  })
  const address = await startAddress(() => leader.port)
  const admin = new URL(leader.admin)
  admin.port = String(address.port)
  return {
    admin: admin.href,
    pid: () => leader.pid,
    async crash() {
      await leader.stop('SIGQUIT')
      const { dataDir, log } = follower ? first : second
      leader = await startOn(dataDir, log, {
        careless: false,
        env,
        port: leader.port,
        ...(follower && { settings: { synchronous_standby_names: '*' } }),
      })
    },
    async failOver() {
      if (!follower) throw new Error('There is no second PostgreSQL any more.')
      await leader.stop('SIGQUIT')
      await runSql(follower.admin, 'select pg_promote(true, 60)')
      leader = follower
      follower = null
      address.cut()
    },
    async stop() {
      await address.close()
      await leader.stop('SIGQUIT')
      await follower?.stop('SIGQUIT')
      first.remove()
      second.remove()
    },
  }
}

/** One address that leads to whichever server leads. `cut`: closes the connection of everyone, without a word. */
export async function startAddress(port: () => number) {
  const open = new Set<net.Socket>()
  const keep = (socket: net.Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const server = net.createServer((socket) => {
    const onward = net.connect(port(), '127.0.0.1')
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      keep(one)
      one.on('error', () => other.destroy())
      one.once('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    cut,
    async close() {
      const closed = new Promise((done) => server.close(done))
      cut()
      await closed
    },
  }
}
