import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { backendsOf, pickBackend, poolFor } from '../../../../server/embedded/cluster/pick-backend.ts'
import { startReverseProxy } from '../../../../server/embedded/cluster/reverse-proxy.ts'
import { anyFreePort } from '../../../../server/embedded/processes/next-free-port.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

type Backend = { url: string; seen: IncomingMessage[]; ready: { is: boolean } }

/** Answers every request with its name, echoes what it receives, and is ready as long as the test sets. */
async function start(name: string): Promise<Backend> {
  const seen: IncomingMessage[] = []
  const ready = { is: true }
  const server = http.createServer(async (request, response) => {
    if (request.url === '/readyz' || request.url === '/api/health') {
      response.writeHead(ready.is ? 200 : 503).end()
      return
    }
    seen.push(request)
    if (request.url === '/v1/dies') {
      request.socket.destroy()
      return
    }
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(201, { 'x-name': name, 'set-cookie': ['a=1', 'b=2'] }).end(`${name}:${body}`)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    seen.push(request)
    socket.send(name)
    socket.on('message', (data) => socket.send(`${name}:${data}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, ready }
}

async function front(hubs: string[], webs: string[] = []): Promise<string> {
  const proxy = await startReverseProxy({ port: 0, hubs, webs, probeEveryMs: 20 })
  endings.push(() => proxy.close())
  return `http://127.0.0.1:${proxy.port}`
}
const dead = async () => `http://127.0.0.1:${await anyFreePort()}`

async function connect(url: string): Promise<{ name: string; socket: WebSocket }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1`, { headers: { 'x-forwarded-for': '9.9.9.9' } })
  const [data] = await once(socket, 'message')
  return { name: String(data), socket }
}

describe('the proxy', () => {
  it('gives what is below /v1 to hubs and all else to webs, with body, headers and who is behind it', async () => {
    const [hub, web] = await Promise.all([start('hub'), start('web')])
    const url = await front([hub.url], [web.url])
    const posted = await fetch(`${url}/v1/commands`, {
      method: 'POST',
      body: 'x'.repeat(100_000),
      headers: { 'x-forwarded-for': '9.9.9.9' },
    })
    expect([posted.status, posted.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']])
    expect(await posted.text()).toBe(`hub:${'x'.repeat(100_000)}`)
    // What a stranger writes there stands before what the proxy has seen itself.
    expect(hub.seen[0]?.headers).toMatchObject({ 'x-forwarded-for': '9.9.9.9, 127.0.0.1', 'x-forwarded-host': new URL(url).host })
    expect(await (await fetch(`${url}/metrics`)).text()).toBe('web:')
    expect(await (await fetch(`${url}/ioafoo`)).text()).toBe('web:')
  })

  it('tries the next where one cannot be reached, and reports it where no one can', async () => {
    const hub = await start('hub')
    const url = await front([await dead(), hub.url, await dead()])
    for (let times = 0; times < 3; times++)
      expect(await (await fetch(`${url}/v1/x`, { method: 'POST', body: 'whole' })).text()).toBe('hub:whole')
    const { name, socket } = await connect(url)
    expect(name).toBe('hub')
    socket.terminate()
    const empty = await fetch(`${await front([await dead()])}/v1/x`)
    expect([empty.status, empty.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('sends nothing twice that a process may have done', async () => {
    const [first, second] = await Promise.all([start('first'), start('second')])
    const url = await front([first.url, second.url])
    expect((await fetch(`${url}/v1/dies`, { method: 'POST', body: 'pay' })).status).toBe(502)
    expect(first.seen.length + second.seen.length).toBe(1)
  })

  it('spreads connections, and gives none to a process that wants none', async () => {
    const [first, second] = await Promise.all([start('first'), start('second')])
    const url = await front([first.url, second.url])
    const four = [await connect(url), await connect(url), await connect(url), await connect(url)]
    expect(four.map(({ name }) => name).sort()).toEqual(['first', 'first', 'second', 'second'])
    const [one] = four
    one?.socket.send('hello')
    expect(String((await once(one?.socket as WebSocket, 'message'))[0])).toBe(`${one?.name}:hello`)
    first.ready.is = false
    await expect.poll(async () => (await fetch(`${url}/v1/x`)).headers.get('x-name')).toBe('second')
    expect((await connect(url)).name).toBe('second')
    for (const { socket } of four) socket.terminate()
  })
})

describe('poolFor', () => {
  it.each([
    ['/v1', 'hub'],
    ['/v1?x=1', 'hub'],
    ['/v1/messages?wait=3', 'hub'],
    ['/', 'web'],
    ['/ioas', 'web'],
    ['/readyz', 'web'],
    ['/metrics', 'web'],
    ['/api/x?next=/v1', 'web'],
  ] as const)('%s is the %s’s', (target, pool) => {
    expect(poolFor(target)).toBe(pool)
  })
})

describe('pickFrom', () => {
  it('takes the ready one with fewest connections, one that is not ready only where no one is, and no one twice', () => {
    const pool = backendsOf(['a', 'b', 'c'])
    const [a, b, c] = pool as [(typeof pool)[number], (typeof pool)[number], (typeof pool)[number]]
    Object.assign(a, { open: 2 })
    Object.assign(b, { open: 1 })
    Object.assign(c, { isReady: false })
    expect(pickBackend(pool, new Set())?.url).toBe('b')
    expect(pickBackend(pool, new Set(['b']))?.url).toBe('a')
    expect(pickBackend(pool, new Set(['a', 'b']))?.url).toBe('c')
    expect(pickBackend(pool, new Set(['a', 'b', 'c']))).toBeNull()
  })
})
