/** The browser's only way out: a proxy on loopback for one task, which connects to its sites and to nothing else, and counts bytes. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type EgressPolicy, findUrlViolation, resolveAddress } from './egress-policy.ts'

export type EgressProxy = {
  /** For Chromium. */
  readonly url: string
  /** What was asked for in vain, newest last, at most a hundred. */
  readonly refused: readonly string[]
  bytes(): number
  close(): Promise<void>
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A site that says nothing for so long is cut off. */
const silentMs = 30_000

/** `maxBytes`: from all sites together; then everything is cut off. */
export async function startEgressProxy(guard: EgressPolicy, maxBytes: number, maxSilentMs = silentMs): Promise<EgressProxy> {
  const refused: string[] = []
  const open = new Set<Duplex>()
  let bytes = 0
  const say = (what: string) => {
    if (refused.length < 100) refused.push(what)
  }
  const count = (from: NodeJS.ReadableStream & { destroy(): void }) =>
    from.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) from.destroy()
    })

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const refuse = (reason: string) => {
      say(`${asked.method} ${asked.url}: ${reason}`)
      answer.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(reason)
    }
    const url = URL.parse(asked.url ?? '')
    const reason = url ? findUrlViolation(url.href, guard) : 'This is a proxy.'
    if (url?.protocol !== 'http:' || reason) return refuse(reason ?? 'Only http comes this way.')
    if (bytes > maxBytes) return refuse('The task has loaded as much as it may.')
    const port = Number(url.port || 80)
    const to = await resolveAddress(url.hostname, port, guard)
    if ('refused' in to) return refuse(to.refused)
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !hopByHop.has(name)))
    const options = {
      host: to.address,
      family: to.family,
      port,
      method: asked.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
    }
    const onward = request({ ...options, timeout: maxSilentMs }, (came) => {
      const back = Object.fromEntries(Object.entries(came.headers).filter(([name]) => !hopByHop.has(name)))
      answer.writeHead(came.statusCode ?? 502, back)
      count(came).pipe(answer)
      came.once('close', () => came.complete || answer.destroy())
    })
    onward.once('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end('The site does not answer.')))
    onward.once('timeout', () => onward.destroy(new TypeError('the site is silent')))
    answer.once('close', () => onward.destroy())
    asked.pipe(onward)
  }

  async function tunnel(target: string, socket: Duplex, head: Buffer): Promise<void> {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? []
    const to = await resolveAddress(host, Number(port), guard)
    if ('refused' in to || bytes > maxBytes) {
      say(`CONNECT ${target}: ${'refused' in to ? to.refused : 'The task has loaded as much as it may.'}`)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const onward: Socket = connect({ host: to.address, port: Number(port), timeout: maxSilentMs }, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      socket.pipe(onward)
      count(onward).pipe(socket)
    })
    open.add(onward)
    const end = () => {
      open.delete(onward)
      onward.destroy()
      socket.destroy()
    }
    onward.once('timeout', end)
    for (const one of [onward, socket]) one.once('error', end).once('close', end)
  }

  const server = createServer((asked, answer) => {
    pass(asked, answer).catch(() => answer.destroy())
  })
  server.on('connect', (asked, socket, head) => {
    socket.on('error', () => socket.destroy())
    tunnel(asked.url ?? '', socket, head).catch(() => socket.destroy())
  })
  server.on('upgrade', (_asked, socket) => socket.destroy())
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    bytes: () => bytes,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const one of open) one.destroy()
      await closed
    },
  }
}
