/** The browser's only connection to the network: a loopback HTTP proxy for one task. It connects to the task's sites only, and counts bytes. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type EgressPolicy, findUrlViolation, resolveAddress } from './egress-policy.ts'

export type EgressProxy = {
  /** Address for Chromium. */
  readonly url: string
  /** Refused requests with the reasons, newest last, at most 100. */
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

/** A site that sends nothing for this long is disconnected. */
const idleTimeoutMs = 30_000
const maxRefused = 100
const overLimit = 'The task has loaded as much as it may.'

type State = {
  readonly policy: EgressPolicy
  readonly maxBytes: number
  readonly maxSilentMs: number
  readonly refused: string[]
  readonly openSockets: Set<Duplex>
  bytes: number
}

/** @param maxBytes from all sites together; beyond it, all connections end */
export async function startEgressProxy(policy: EgressPolicy, maxBytes: number, maxSilentMs = idleTimeoutMs): Promise<EgressProxy> {
  const state: State = { policy, maxBytes, maxSilentMs, refused: [], openSockets: new Set(), bytes: 0 }
  const server = createProxyServer(state)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: state.refused,
    bytes: () => state.bytes,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of state.openSockets) socket.destroy()
      await closed
    },
  }
}

function createProxyServer(state: State): Server {
  const server = createServer((incoming, response) => {
    forward(state, incoming, response).catch(() => response.destroy())
  })
  server.on('connect', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy())
    openTunnel(state, incoming.url ?? '', socket, head).catch(() => socket.destroy())
  })
  server.on('upgrade', (_incoming, socket) => socket.destroy())
  server.on('connection', (socket) => {
    state.openSockets.add(socket)
    socket.once('close', () => state.openSockets.delete(socket))
  })
  return server
}

function recordRefusal({ refused }: State, text: string): void {
  if (refused.length < maxRefused) refused.push(text)
}

function countBytes<S extends NodeJS.ReadableStream & { destroy(): void }>(state: State, stream: S): S {
  stream.on('data', (chunk: Buffer) => {
    state.bytes += chunk.length
    if (state.bytes > state.maxBytes) stream.destroy()
  })
  return stream
}

const withoutHopByHop = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))

/** Forwards a plain HTTP request to its checked address. */
async function forward(state: State, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { policy, maxBytes, maxSilentMs } = state
  const refuse = (reason: string) => {
    recordRefusal(state, `${incoming.method} ${incoming.url}: ${reason}`)
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(reason)
  }
  const url = URL.parse(incoming.url ?? '')
  const reason = url ? findUrlViolation(url.href, policy) : 'This is a proxy.'
  if (url?.protocol !== 'http:' || reason) return refuse(reason ?? 'Only http comes this way.')
  if (state.bytes > maxBytes) return refuse(overLimit)
  const port = Number(url.port || 80)
  const target = await resolveAddress(url.hostname, port, policy)
  if ('refused' in target) return refuse(target.refused)
  const options = {
    host: target.address,
    family: target.family,
    port,
    method: incoming.method,
    path: url.pathname + url.search,
    headers: { ...withoutHopByHop(incoming.headers), host: url.host },
  }
  const outgoing = request({ ...options, timeout: maxSilentMs }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, withoutHopByHop(answer.headers))
    countBytes(state, answer).pipe(response)
    answer.once('close', () => answer.complete || response.destroy())
  })
  outgoing.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end('The site does not answer.')))
  outgoing.once('timeout', () => outgoing.destroy(new TypeError('the site is silent')))
  response.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** Connects a CONNECT request (TLS) to its checked address. */
async function openTunnel(state: State, target: string, socket: Duplex, head: Buffer): Promise<void> {
  const { policy, maxBytes, maxSilentMs, openSockets } = state
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? []
  const address = await resolveAddress(host, Number(port), policy)
  if ('refused' in address || state.bytes > maxBytes) {
    recordRefusal(state, `CONNECT ${target}: ${'refused' in address ? address.refused : overLimit}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    return
  }
  const outgoing: Socket = connect({ host: address.address, port: Number(port), timeout: maxSilentMs }, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    outgoing.write(head)
    socket.pipe(outgoing)
    countBytes(state, outgoing).pipe(socket)
  })
  openSockets.add(outgoing)
  const end = () => {
    openSockets.delete(outgoing)
    outgoing.destroy()
    socket.destroy()
  }
  outgoing.once('timeout', end)
  for (const one of [outgoing, socket]) one.once('error', end).once('close', end)
}
