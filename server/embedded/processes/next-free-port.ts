import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { acquireFileLock } from './file-lock.ts'

/** Whether a server could listen there now. Tested by listening, because a refused connection does not prove that the port is free. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((answer) => {
    const probe = net.createServer()
    probe.once('error', () => answer(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => answer(true)))
  })
}

/** The first free port from `wanted` up. It stays reserved until this process ends, so that a concurrent start gets another one. */
export async function nextFreePort(wanted: number, host = '127.0.0.1'): Promise<number> {
  for (let port = wanted; port < wanted + 200 && port < 65_536; port++)
    if ((await isPortFree(port, host)) && reservePort(port)) {
      // The previous owner may have started to listen in the meantime.
      if (await isPortFree(port, host)) return port
    }
  return anyFreePort(host)
}

/** Shared by all installations on this machine. */
const reservations = path.join(os.tmpdir(), 'parley-ports')

/** True if no live process has reserved the port. A second reservation by this process also succeeds. */
function reservePort(port: number): boolean {
  try {
    openReservations()
    const taken = acquireFileLock(path.join(reservations, String(port)))
    if (!('release' in taken)) return false
    process.once('exit', taken.release)
    return true
  } catch (error) {
    // A stale reservation of another user. Only that user may remove it.
    if (error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(String(error.code))) return false
    throw error
  }
}

/** For all users of the machine; each may remove only its own files. */
function openReservations(): void {
  if (fs.existsSync(reservations)) return
  fs.mkdirSync(reservations, { recursive: true })
  fs.chmodSync(reservations, 0o1777)
}

/** A port that the system chooses. Another process may take it first; then retry with a new one. */
export function anyFreePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((answer, refuse) => {
    const probe = net.createServer()
    probe.once('error', refuse)
    probe.listen({ port: 0, host }, () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null ? answer(address.port) : refuse(new Error('the probe has no address')),
      )
    })
  })
}
