import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { backendsOf, type Pool, pickBackend, poolFor } from './pick-backend.ts'

export type ProxyOptions = {
  readonly port: number
  readonly host?: string
  /** The addresses of hubs and webs, as `http://host:port`. */
  readonly hubs: readonly string[]
  readonly webs: readonly string[]
  readonly probeEveryMs?: number
}

/** The readiness probe of each pool. */
const probePaths = { hub: '/readyz', web: '/api/health' }
const probeWithinMs = 1_000
const connectWithinMs = 1_000

/**
 * A reverse proxy: `/v1` goes to the hubs, everything else to the webs. It probes each process for readiness, uses the one with the
 * fewest connections, and tries the next one after a failed connection. It never sends a request twice. For local use;
 * docs/operations/cluster.md describes others.
 */
export async function startReverseProxy(options: ProxyOptions): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { host = '127.0.0.1' } = options
  const pools: Record<'hub' | 'web', Pool> = { hub: backendsOf(options.hubs), web: backendsOf(options.webs) }

  const joined = new Set<Duplex>()
  const server = http.createServer({ requestTimeout: 0 }, (request, response) => {
    const pool = pools[poolFor(request.url ?? '/')]
    passOn(pool, request, response, new Set())
  })
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    // The HTTP server does not track upgraded connections, but waits for them when it closes.
    joined.add(socket)
    socket.once('close', () => joined.delete(socket))
    joinUp(pools[poolFor(request.url ?? '/')], { request, socket, head }, new Set())
  })

  async function probe(kind: 'hub' | 'web'): Promise<void> {
    await Promise.all(
      pools[kind].map(async (backend) => {
        const signal = AbortSignal.timeout(probeWithinMs)
        backend.isReady = await fetch(`${backend.url}${probePaths[kind]}`, { signal }).then(
          (response) => response.ok,
          () => false,
        )
      }),
    )
  }
  const probing = setInterval(() => void Promise.all([probe('hub'), probe('web')]), options.probeEveryMs ?? 500)
  await Promise.all([probe('hub'), probe('web')])
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, resolve)
  })
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : options.port,
    async close() {
      clearInterval(probing)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      for (const socket of joined) socket.destroy()
      await closed
    },
  }
}

/** The original headers, and the client's address. */
function forwarded(request: IncomingMessage): [string, string][] {
  const raw = request.rawHeaders
  const pairs = raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
  const before = pairs.filter(([name]) => /^x-forwarded-for$/i.test(name)).map(([, value]) => value)
  return [
    ...pairs.filter(([name]) => !/^x-forwarded-/i.test(name)),
    ['X-Forwarded-For', [...before, request.socket.remoteAddress ?? ''].join(', ')],
    ['X-Forwarded-Host', request.headers.host ?? ''],
    ['X-Forwarded-Proto', 'http'],
  ]
}

const isOfOneHop = (name: string) => /^(connection|keep-alive)$/i.test(name)

function passOn(pool: Pool, request: IncomingMessage, response: ServerResponse, tried: Set<string>): void {
  const backend = pickBackend(pool, tried)
  if (!backend) {
    response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('No server is ready to answer.\n')
    return
  }
  backend.open++
  const { hostname, port } = new URL(backend.url)
  const headers = [...forwarded(request).filter(([name]) => !isOfOneHop(name)), ['Connection', 'close']].flat()
  const upstream = http.request({ hostname, port, method: request.method, path: request.url, headers, agent: false, setHost: false })
  let isSeen = false
  upstream.once('socket', (socket) => {
    socket.setTimeout(connectWithinMs, () => isSeen || socket.destroy(new Error('no connection in time')))
    socket.once('connect', () => {
      isSeen = true
      socket.setTimeout(0)
      request.pipe(upstream)
    })
  })
  upstream.once('response', (answer) => {
    const raw = answer.rawHeaders
    const kept = raw.flatMap((name, index) => (index % 2 === 0 && !isOfOneHop(name) ? [name, raw[index + 1] ?? ''] : []))
    response.writeHead(answer.statusCode ?? 502, kept)
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  upstream.once('error', () => {
    if (!isSeen && !response.destroyed) {
      backend.isReady = false
      return passOn(pool, request, response, tried.add(backend.url))
    }
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('The answer was cut off.\n')
  })
  upstream.once('close', () => backend.open--)
  response.once('close', () => upstream.destroy())
}

/** A request for a WebSocket. `head`: the first bytes after it. */
type Upgrade = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }

function joinUp(pool: Pool, upgrade: Upgrade, tried: Set<string>): void {
  const { request, socket, head } = upgrade
  const backend = pickBackend(pool, tried)
  if (!backend) {
    socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n')
    return
  }
  backend.open++
  const { hostname, port } = new URL(backend.url)
  const upstream = net.connect(Number(port), hostname)
  upstream.setNoDelay(true)
  upstream.setTimeout(connectWithinMs, () => upstream.destroy(new Error('no connection in time')))
  let isJoined = false
  upstream.once('connect', () => {
    isJoined = true
    upstream.setTimeout(0)
    const lines = forwarded(request).map(([name, value]) => `${name}: ${value}`)
    upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.once('error', () => {
    if (!isJoined) backend.isReady = false
  })
  upstream.once('close', () => {
    backend.open--
    if (isJoined || socket.destroyed) socket.destroy()
    else joinUp(pool, upgrade, tried.add(backend.url))
  })
  socket.once('close', () => upstream.destroy())
}
