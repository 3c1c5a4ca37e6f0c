import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { parseTrustedProxies } from '../../../../server/http/client-ip-address.ts'
import { defaultInboundLimits } from '../../../../server/hub/connection/incomplete-message-limits.ts'
import { defaultRequestTimes, startHub } from '../../../../server/hub/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { connectLine, listAgent, openLine, sayHello } from '../bare-agent.ts'

let world: TestWorld
let owner: TestPerson
beforeAll(async () => {
  world = await createWorld({ jobs: false })
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** A hub beside the other one, with limits that a test reaches. */
async function hubWith(
  inboundLimits: Partial<typeof defaultInboundLimits>,
  requestTimes: typeof defaultRequestTimes = defaultRequestTimes,
): Promise<string> {
  const ctx = world.world.contextFor({ kind: 'anonymous' })
  const hub = await startHub(
    ctx,
    world.world.listener,
    { host: '127.0.0.1', port: 0 },
    {
      inboundLimits,
      requestTimes,
      deflatesLoopback: true,
    },
  )
  onTestFinished(() => hub.close())
  return `http://127.0.0.1:${hub.port}`
}

/** Text that compression makes little of. */
const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex')

describe('before authentication', () => {
  it('a connection is closed at the head of a frame that announces more than 16 kB', async () => {
    const line = await openLine(world.hubUrl)
    line.sendText('x'.repeat(defaultInboundLimits.unauthenticatedBytes + 1))
    expect(await line.closed).toBe(1009)
  })

  it('a connection is closed once it has sent more than 16 kB in all, in however many frames', async () => {
    const line = await openLine(world.hubUrl)
    // Small, and each allowed alone.
    for (let sent = 0; sent <= defaultInboundLimits.unauthenticatedBytes; sent += 1_000) line.send({ type: 'ping', x: 'x'.repeat(1_000) })
    expect([1009, 4401]).toContain(await line.closed)
  })

  it('a compressed frame that would inflate to megabytes is refused by its size on the wire', async () => {
    const hub = await hubWith({})
    const socket = new WebSocket(`${hub.replace('http', 'ws')}/v1/ws`)
    socket.on('error', () => undefined)
    await once(socket, 'open')
    const payload = deflateRawSync(Buffer.alloc(8_000_000, 'a'))
    expect(payload.length).toBeLessThan(defaultInboundLimits.unauthenticatedBytes)
    const head = Buffer.from([0xc1, 0xfe, payload.length >> 8, payload.length & 255, 0, 0, 0, 0])
    ;(socket as unknown as { _socket: net.Socket })._socket.write(Buffer.concat([head, payload]))
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1009)
  })

  it('fragments are counted, and memory is not theirs: 20 sockets of 2,000 fragments are all closed', async () => {
    const lines = await Promise.all(Array.from({ length: 20 }, () => openLine(world.hubUrl)))
    for (const { socket } of lines) for (let fragment = 0; fragment < 2_000; fragment++) socket.send('', { fin: false })
    const codes = await Promise.all(lines.map(({ closed }) => closed))
    expect(new Set(codes)).toEqual(new Set([1008]))
  })

  it('no more connections than allowed wait for a hello, by address', async () => {
    const hub = await hubWith({ maxUnauthenticatedPerSource: 2 })
    const [first] = [await openLine(hub), await openLine(hub)]
    await expect(openLine(hub)).rejects.toThrow('429')
    // Who proves itself makes room, and so does who goes.
    await sayHello(first, await listAgent(world, owner, 'roommaker'))
    await first.next('welcome')
    const third = await openLine(hub)
    await expect(openLine(hub)).rejects.toThrow('429')
    third.close()
    await world.until('its place to be free', async () =>
      openLine(hub).then(
        () => true,
        () => false,
      ),
    )
  })
})

describe('a hub whose places are all taken', () => {
  it('closes the oldest silent connection of the address that has most, and takes a newcomer', async () => {
    const ctx = world.world.contextFor({ kind: 'anonymous' })
    const trustedProxies = parseTrustedProxies('127.0.0.0/8')
    const hub = await startHub(
      ctx,
      world.world.listener,
      { host: '127.0.0.1', port: 0 },
      { inboundLimits: { maxUnauthenticated: 3 }, trustedProxies },
    )
    onTestFinished(() => hub.close())
    const come = async (source: string) => {
      const socket = new WebSocket(`ws://127.0.0.1:${hub.port}/v1/ws`, { headers: { 'x-forwarded-for': source } })
      socket.on('error', () => undefined)
      const closed = once(socket, 'close').then(([code]) => code as number)
      await once(socket, 'open')
      return { socket, closed }
    }
    const oldest = await come('203.0.113.1')
    for (const source of ['203.0.113.1', '203.0.113.2']) await come(source)
    const newcomer = await come('203.0.113.5')
    expect(await oldest.closed).toBe(1013)
    expect(newcomer.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('a message that has begun', () => {
  it('is to be complete in time, also after authentication, regardless of control frames in between', async () => {
    const hub = await hubWith({ incompleteMs: 200, bytesPerSecond: 1_000_000 })
    const line = await connectLine(hub, await listAgent(world, owner, 'loris'))
    line.socket.send('{"type":', { fin: false })
    const beat = setInterval(() => line.socket.ping(), 50)
    onTestFinished(() => clearInterval(beat))
    expect(await line.closed).toBe(4408)
  })

  it('does not end a connection that is silent between messages', async () => {
    const hub = await hubWith({ incompleteMs: 1 })
    const line = await connectLine(hub, await listAgent(world, owner, 'calm'))
    for (let round = 0; round < 3; round++) {
      line.socket.ping()
      await once(line.socket, 'pong')
      await new Promise((resolve) => setTimeout(resolve, 1_100))
    }
    line.send({ type: 'ping' })
    await line.next('pong')
    line.close()
  })

  it('ends where all of them together are more than the hub holds: the largest first', async () => {
    const hub = await hubWith({ maxBytes: 50_000 })
    const small = await connectLine(hub, await listAgent(world, owner, 'smallholder'))
    const large = await connectLine(hub, await listAgent(world, owner, 'largeholder'))
    small.socket.send(noise(20_000), { fin: false })
    large.socket.send(noise(90_000), { fin: false })
    expect(await large.closed).toBe(1013)
    small.socket.send('x', { fin: true })
    expect((await small.next('problem')).problem.code).toBe('request.malformed')
    small.close()
  })
})

describe('request bodies', () => {
  const begin = async (hub: string, token: string, bytes: number): Promise<net.Socket> => {
    const socket = net.connect(Number(new URL(hub).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const head = `POST /v1/commands HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${bytes + 1}\r\n\r\n`
    socket.write(`${head}${' '.repeat(bytes)}`)
    return socket
  }
  const command = async (hub: string, token: string, bytes: number): Promise<string> => {
    const response = await fetch(`${hub}/v1/commands`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}'.padEnd(bytes),
    })
    return `${response.status} ${((await response.json()) as { code: string }).code}`
  }

  it('that one agent begins and does not end leave room for all others', async () => {
    const hub = await hubWith({ maxBytes: 400_000, maxBytesPerSender: 100_000 })
    const [slow, other] = [await listAgent(world, owner, 'slowbody'), await listAgent(world, owner, 'otherbody')]
    await Promise.all(Array.from({ length: 8 }, () => begin(hub, slow.token, 60_000)))
    await world.until('its share to be used up', async () => (await command(hub, slow.token, 60_000)) === '429 rate.exceeded')
    expect(await command(hub, other.token, 60_000)).toBe('400 request.unknown_command')
  })

  it('of many slow agents give way to a small one', async () => {
    const hub = await hubWith({ maxBytes: 150_000, maxBytesPerSender: 100_000 })
    const slow = await Promise.all(['slowfirst', 'slowsecond'].map((name) => listAgent(world, owner, name)))
    for (const { token } of slow) await begin(hub, token, 70_000)
    const other = await listAgent(world, owner, 'smallbody')
    for (let round = 0; round < 3; round++) expect(await command(hub, other.token, 30_000)).toBe('400 request.unknown_command')
  })
})

it('an HTTP request whose head or body does not come is ended', { timeout: 30_000 }, async () => {
  // A minute at most by default. Here a hub with shorter times.
  expect(defaultRequestTimes).toEqual({ headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 })
  const hub = await hubWith({}, { headersTimeout: 500, requestTimeout: 1_000, connectionsCheckingInterval: 100 })
  const port = Number(new URL(hub).port)
  const answerTo = async (text: string): Promise<string> => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.write(text)
    await once(socket, 'close')
    return answer.split('\r\n')[0] ?? ''
  }
  const [head, body] = await Promise.all([
    answerTo('GET /healthz HTTP/1.1\r\nHost: hub\r\nX-Slow: '),
    answerTo('POST /v1/mcp HTTP/1.1\r\nHost: hub\r\nContent-Length: 100\r\n\r\n{'),
  ])
  expect(head).toMatch(/408|^$/)
  expect(body).toMatch(/400|408|^$/)
})
