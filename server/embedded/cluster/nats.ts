import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { childEnvironment } from '../install/child-environment.mjs'
import { root } from '../processes/run-script.ts'

const own = path.join(root, '.parley/tools/nats')
const places = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server', path.join(own, 'usr/sbin/nats-server')]

/** The path of a nats-server: the system's, or the one in this checkout; null if there is none. */
export function findNats(isThere: (file: string) => boolean = fs.existsSync): string | null {
  return places.find((file) => isThere(file)) ?? null
}

/**
 * Finds a nats-server, or unpacks Debian's package into this checkout without root. Null if neither is possible. Takes a few seconds the
 * first time.
 */
export function ensureNats(): string | null {
  const found = findNats()
  if (found || !fs.existsSync('/usr/bin/apt-get')) return found
  fs.mkdirSync(own, { recursive: true })
  const run = (file: string, ...args: string[]) =>
    spawnSync(file, args, { cwd: own, stdio: 'ignore', timeout: 20_000, env: childEnvironment() }).status === 0
  const download = () => run('/usr/bin/apt-get', '-o', 'APT::Sandbox::User=root', 'download', 'nats-server')
  // A new system has no package lists, and only root may fetch them.
  if (!download() && !(process.getuid?.() === 0 && run('/usr/bin/apt-get', 'update') && download())) return null
  const [file] = fs.readdirSync(own).filter((name) => name.endsWith('.deb'))
  if (!file || !run('/usr/bin/dpkg', '-x', file, own)) return null
  fs.rmSync(path.join(own, file))
  return findNats()
}

/** Starts it with JetStream on loopback, as a child in its own process group. */
export function spawnNats(binary: string, options: { port: number; dataDir: string; log: number | 'ignore' }): ChildProcess {
  const args = ['-js', '-sd', options.dataDir, '-a', '127.0.0.1', '-p', String(options.port)]
  return spawn(binary, args, { cwd: '/', detached: true, stdio: ['ignore', options.log, options.log] })
}

/**
 * Waits until it accepts connections.
 * @throws if the process ended first
 */
export async function natsReady(port: number, child: ChildProcess, timeoutMs = 20_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await acceptsHello(port)); await new Promise((done) => setTimeout(done, 25))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('NATS ended before it was ready')
    if (Date.now() > deadline) throw new Error(`NATS was not ready after ${timeoutMs / 1000} s`)
  }
}

function acceptsHello(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('error', () => answer(false))
    socket.once('data', (data) => {
      socket.destroy()
      answer(data.toString().startsWith('INFO'))
    })
  })
}
