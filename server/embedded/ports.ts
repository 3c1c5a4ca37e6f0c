import net from 'node:net'

/** Whether a server could listen there now. Asked by listening, since a refused connection does not prove that the port is free. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((answer) => {
    const probe = net.createServer()
    probe.once('error', () => answer(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => answer(true)))
  })
}

/** The first free port at or after the wanted one. */
export async function nextFreePort(wanted: number, host = '127.0.0.1'): Promise<number> {
  for (let port = wanted; port < wanted + 200 && port < 65_536; port++) if (await isPortFree(port, host)) return port
  return anyFreePort(host)
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
