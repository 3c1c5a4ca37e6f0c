import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { takeLock } from './file-lock.ts'

/** Whether a server could listen there now. Asked by listening, since a refused connection does not prove that the port is free. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((answer) => {
    const probe = net.createServer()
    probe.once('error', () => answer(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => answer(true)))
  })
}

/**
 * The first free port at or after the wanted one. It is reserved for this process until that ends: another that starts at the same
 * moment, before anything listens there, is given the next one.
 */
export async function nextFreePort(wanted: number, host = '127.0.0.1'): Promise<number> {
  for (let port = wanted; port < wanted + 200 && port < 65_536; port++)
    if ((await isPortFree(port, host)) && reservePort(port)) {
      // Who held it a moment ago may have begun to listen and ended meanwhile.
      if (await isPortFree(port, host)) return port
    }
  return anyFreePort(host)
}

/** Of all installations of this machine. */
const reservations = path.join(os.tmpdir(), 'parley-ports')

/** True where no living process has reserved it; from then on it is ours, which a second reservation of ours tells too. */
function reservePort(port: number): boolean {
  try {
    openReservations()
    const taken = takeLock(path.join(reservations, String(port)))
    if (!('release' in taken)) return false
    process.once('exit', taken.release)
    return true
  } catch (error) {
    // Another user's, whose process has ended: only that user may clear it away.
    if (error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(String(error.code))) return false
    throw error
  }
}

/** For every user of the machine, each of whom removes only what is its own. */
function openReservations(): void {
  if (fs.existsSync(reservations)) return
  fs.mkdirSync(reservations, { recursive: true })
  fs.chmodSync(reservations, 0o1777)
}

/** A port that the system picks. Another process may take it before we do: start again with a new one when that happens. */
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
