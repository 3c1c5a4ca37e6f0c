import { createServer, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIpError, findUrlError, publicOnly } from '../../../../../agents/builtin/resource-gateway/net/address-policy.ts'
import { boundedFetch } from '../../../../../agents/builtin/resource-gateway/net/bounded-fetch.ts'

describe('findIpError', () => {
  it.each(
    '127.0.0.1 10.0.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 192.0.2.1 ::1 :: fe80::1 fc00::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 nonsense'.split(
      ' ',
    ),
  )('refuses %s', (ip) => expect(findIpError(ip)).not.toBeNull())
  it.each('1.1.1.1 172.32.0.1 100.128.0.1 2606:4700::1111'.split(' '))('takes %s', (ip) => expect(findIpError(ip)).toBeNull())
})

describe('findUrlError', () => {
  it.each(
    'http://a.example https://user@a.example https://localhost https://intranet https://x.internal https://2130706433/ https://0x7f.1/ https://[::ffff:7f00:1]/ ftp://a.example x'.split(
      ' ',
    ),
  )('refuses %s', (address) => expect(findUrlError(address, publicOnly)).not.toBeNull())
  it('takes a public name over https, and an origin that was named', () => {
    expect(findUrlError('https://tools.example/mcp', publicOnly)).toBeNull()
    expect(findUrlError('http://127.0.0.1:7000/mcp', { allowed: new Set(['http://127.0.0.1:7000']) })).toBeNull()
    expect(findUrlError('http://127.0.0.1:7001/mcp', { allowed: new Set(['http://127.0.0.1:7000']) })).not.toBeNull()
  })
})

describe('boundedFetch', () => {
  let server: Server
  let hits = 0
  beforeAll(async () => {
    server = createServer((_request, response) => {
      hits++
      response.end('inside')
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  })
  afterAll(() => new Promise((closed) => server.close(closed)))

  it('asks no one behind a public name that leads inside, though it led elsewhere when it was looked at before', async () => {
    const { port } = server.address() as AddressInfo
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '1.1.1.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ]
    for (const found of answers) {
      const lookup: LookupFunction = (_host, _how, done) => done(null, found)
      const asked = boundedFetch(`https://rebound.example:${port}/`, { policy: publicOnly, bounds: { ms: 500, bytes: 100 }, lookup })
      await expect(asked).rejects.toMatchObject({ kind: 'address' })
    }
    expect(hits).toBe(0)
  })
})
