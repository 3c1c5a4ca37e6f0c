import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { discoverApi, parseRobots } from '../../../../../agents/builtin/web/api/discover-api-and-robots-rules.ts'
import { type EgressPolicy, findUrlViolation, type Lookup, resolveAddress } from '../../../../../agents/builtin/web/egress/egress-policy.ts'
import { type EgressProxy, startEgressProxy } from '../../../../../agents/builtin/web/egress/egress-proxy.ts'
import { createOriginThrottle, createSiteClient } from '../../../../../agents/builtin/web/egress/site-client.ts'

const never: Lookup = async () => {
  throw new Error('Nothing is to be looked up.')
}
const at =
  (address: string): Lookup =>
  async () => [{ address, family: address.includes(':') ? 6 : 4 }]

describe('findUrlViolation', () => {
  const guard = { sites: ['https://a.example', 'http://127.0.0.1:4000'] }
  it.each(['https://a.example/x?y#z', 'http://127.0.0.1:4000/', 'ws://127.0.0.1:4000/live', 'https://A.EXAMPLE:443/'])('lets %s', (url) => {
    expect(findUrlViolation(url, guard)).toBeUndefined()
  })
  it.each([
    'https://b.example/',
    'http://a.example/',
    'https://a.example:8443/',
    'https://a.example.b.example/',
    'https://user:word@a.example/',
    'http://127.0.0.1:4001/',
    'http://localhost:4000/',
    'http://2130706433:4000/..',
    'file:///etc/hosts',
    'javascript:alert(1)',
    'chrome://version',
    'x',
  ])('refuses %s', (url) => {
    const isSame = URL.parse(url)?.origin === 'http://127.0.0.1:4000'
    expect(findUrlViolation(url, guard) === undefined).toBe(isSame)
  })
})

describe('resolveAddress', () => {
  const guard = (lookup: Lookup, local: string[] = []): EgressPolicy => ({
    sites: ['https://a.example', 'http://127.0.0.1:4000'],
    local,
    lookup,
  })

  it('gives the address of a site, looked up once', async () => {
    expect(await resolveAddress('a.example', 443, guard(at('1.1.1.1')))).toEqual({ address: '1.1.1.1', family: 4 })
    expect(await resolveAddress('a.example', 8443, guard(at('1.1.1.1')))).toHaveProperty('refused')
    expect(await resolveAddress('b.example', 443, guard(at('1.1.1.1')))).toHaveProperty('refused')
  })

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1'])(
    'refuses a name that leads to %s',
    async (address) => {
      expect(await resolveAddress('a.example', 443, guard(at(address)))).toHaveProperty('refused')
      const both: Lookup = async () => [{ address: '1.1.1.1', family: 4 }, ...(await at(address)('a.example'))]
      expect(await resolveAddress('a.example', 443, guard(both))).toHaveProperty('refused')
    },
  )

  it('takes a site of this machine only where its operator named it', async () => {
    expect(await resolveAddress('127.0.0.1', 4000, guard(never))).toHaveProperty('refused')
    expect(await resolveAddress('127.0.0.1', 4000, guard(never, ['http://127.0.0.1:4000']))).toEqual({ address: '127.0.0.1', family: 4 })
  })
})

describe('a site without rules', () => {
  it('is cut off, with and without a tunnel', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    const proxy = await startEgressProxy({ sites: [origin], local: [origin], lookup: never }, 1_000, 50)
    const at = { host: '127.0.0.1', port: Number(new URL(proxy.url).port) }
    const status = await new Promise((resolve) => {
      request({ ...at, path: `${origin}/` }, (came) => resolve(came.statusCode)).end()
    })
    expect(status).toBe(502)
    const ended = new Promise<string>((resolve) => {
      const tunnel = connect(at, () => tunnel.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`))
      let received = ''
      tunnel.on('data', (data) => {
        received += data.toString()
      })
      tunnel.once('close', () => resolve(received))
    })
    expect(await ended).toContain('200')
    await proxy.close()
    silent.closeAllConnections()
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('the way out', () => {
  const asked: string[] = []
  const site = createServer((got, answer) => {
    asked.push(`${got.method} ${got.headers.host}${got.url}`)
    const answers: { [url: string]: string } = {
      '/': 'site',
      '/big': 'x'.repeat(200_000),
      '/swagger.json': JSON.stringify({ openapi: '3.0.0', info: { title: 'Here' }, paths: {} }),
    }
    const text = answers[got.url ?? '']
    answer.writeHead(text === undefined ? 404 : 200).end(text)
  })
  let port = 0
  let origin = ''
  let proxy: EgressProxy
  let guard: EgressPolicy

  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    port = (site.address() as AddressInfo).port
    origin = `http://127.0.0.1:${port}`
    // A name that leads to this machine, as an attacker's may: it is a site of the task, and still not let through.
    guard = { sites: [origin, `http://rebound.example:${port}`], local: [origin], lookup: at('127.0.0.1') }
    proxy = await startEgressProxy(guard, 150_000)
  })
  afterAll(async () => {
    await proxy.close()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  })

  const through = (url: string) =>
    new Promise<{ status: number; size: number }>((resolve, reject) => {
      const { host } = new URL(url)
      const sent = request({ host: '127.0.0.1', port: new URL(proxy.url).port, path: url, headers: { host } }, (came) => {
        let size = 0
        came.on('data', (chunk: Buffer) => {
          size += chunk.length
        })
        came.on('error', () => resolve({ status: came.statusCode ?? 0, size }))
        came.on('end', () => resolve({ status: came.statusCode ?? 0, size }))
      })
      sent.once('error', reject).end()
    })
  const tunnel = (target: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1', () =>
        socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`),
      )
      socket.once('data', (data) => {
        resolve(data.toString().split('\r\n')[0] ?? '')
        socket.destroy()
      })
    })

  it('leads to the sites of the task and to nothing else', async () => {
    expect(await through(`${origin}/`)).toMatchObject({ status: 200, size: 4 })
    asked.length = 0
    expect(await through(`http://localhost:${port}/`)).toMatchObject({ status: 403 })
    expect(await through(`http://rebound.example:${port}/`)).toMatchObject({ status: 403 })
    expect(await through(proxy.url)).toMatchObject({ status: 403 })
    expect(await tunnel(`localhost:${port}`)).toContain('403')
    expect(await tunnel(`rebound.example:${port}`)).toContain('403')
    expect(asked).toEqual([])
    expect(await tunnel(`127.0.0.1:${port}`)).toContain('200')
    expect(proxy.refused.join('\n')).toContain('rebound.example')
  })

  it('keeps the client without a browser to the same', async () => {
    const ask = createSiteClient(guard, createOriginThrottle(0))
    expect(await ask({ method: 'GET', url: `${origin}/` })).toMatchObject({ status: 200, text: 'site' })
    asked.length = 0
    for (const url of [`http://localhost:${port}/`, `http://rebound.example:${port}/`, 'file:///etc/hosts'])
      expect(await ask({ method: 'GET', url })).toHaveProperty('refused')
    expect(asked).toEqual([])
  })

  it('finds what a site says of its API', async () => {
    expect(await discoverApi(origin, createSiteClient(guard, createOriginThrottle(0)))).toMatchObject({ title: 'Here' })
  })

  it('ends what grows too large', async () => {
    expect((await through(`${origin}/big`)).size).toBeLessThan(200_000)
    expect(await through(`${origin}/`)).toMatchObject({ status: 403 })
  })
})

describe('parseRobots', () => {
  const text =
    'User-agent: *\nDisallow: /\n\nUser-agent: Other\nUser-agent: ParleyWebAgent\nDisallow: /private\nAllow: /private/open # here\nDisallow: /private/open/not\nDisallow: /*.zip$\n'
  it.each([
    ['/', true],
    ['/private/x', false],
    ['/private/open/x', true],
    ['/private/open/not', false],
    ['/a/b.zip', false],
    ['/a/b.zip?x', true],
  ])('%s: %s', (path, may) => expect(parseRobots(text)(path)).toBe(may))
  it('takes the room of everyone where ours is not there, and lets all by default', () => {
    expect(parseRobots('User-agent: *\nDisallow: /x')('/x/y')).toBe(false)
    expect(parseRobots('')('/x')).toBe(true)
  })
  it.each([
    [
      'a record that is none of the protocol',
      'User-agent: ParleyWebAgent\nSitemap: /s.xml\nNote: x\nUser-agent: Other\nDisallow: /x',
      '/x',
    ],
    ['octets', 'User-agent: *\nDisallow: /caf\u00e9', '/caf%C3%A9'],
    ['lower-case octets', 'User-agent: *\nDisallow: /caf%c3%a9', '/caf%C3%A9'],
    ['encoded letters', 'User-agent: *\nDisallow: /%62%61%7A', '/baz'],
    ['a version behind the name', 'User-agent: ParleyWebAgent/1.0\nDisallow: /x', '/x'],
    ['lines that end in CR', 'User-agent: *\rDisallow: /x', '/x'],
  ])('reads %s as RFC 9309 defines', (_, rules, path) => expect(parseRobots(rules)(path)).toBe(false))
  it.each([
    ['a rule of many stars', `Disallow: /${'*'.repeat(499_000)}b`],
    ['many rules of many stars', `Disallow: /${'*a'.repeat(100)}b\n`.repeat(2_400)],
  ])('is done at once with %s', (_, rules) => {
    const began = process.cpuUsage()
    expect(parseRobots(`User-agent: *\n${rules}`)(`/${'a'.repeat(2_000)}`)).toBe(true)
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
  })
})
