import { describe, expect, it } from 'vitest'
import {
  clientAddressHeader,
  clientIpAddress,
  isLoopback,
  parseTrustedProxies,
  rateSource,
  setClientAddress,
} from '../../../server/http/client-ip-address.ts'

function asked(remoteAddress: string, headers: Record<string, string> = {}) {
  return { headers: { ...headers }, socket: { remoteAddress } } as never
}
const by = (trusted: string, peer: string, forwarded?: string) =>
  clientIpAddress(asked(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), parseTrustedProxies(trusted))

describe('clientIpAddress', () => {
  it('is the address of the connection, regardless of the client’s headers', () => {
    expect([by('', '203.0.113.9', '1.1.1.1'), by('10.0.0.0/8', '203.0.113.9', '10.0.0.1, 1.1.1.1'), by('', '203.0.113.9')]).toEqual(
      Array(3).fill('203.0.113.9'),
    )
  })

  it.each([
    ['the address that a trusted proxy has seen, not what stands before it', '10.0.0.0/8', '10.1.2.3', '6.6.6.6, 2.2.2.2', '2.2.2.2'],
    ['the first untrusted one from the right', '10.0.0.0/8,192.0.2.7', '10.1.2.3', '6.6.6.6, 2.2.2.2, 192.0.2.7', '2.2.2.2'],
    ['the outermost, where all are trusted', 'uniquelocal', '10.1.2.3', '192.168.0.1, 172.16.0.1', '192.168.0.1'],
    ['the proxy itself, where it names nobody', 'loopback', '127.0.0.1', '', '127.0.0.1'],
    ['the proxy itself, where what it names is no address', 'loopback', '::1', 'unknown', '::1'],
    ['an address without its port', 'loopback', '127.0.0.1', '2.2.2.2:5555', '2.2.2.2'],
    ['an IPv6 address without brackets and port', 'loopback', '127.0.0.1', '[2001:db8::1]:5555', '2001:db8::1'],
    ['an IPv4 address that came as IPv6', '10.0.0.0/8', '::ffff:10.0.0.1', '::ffff:2.2.2.2', '2.2.2.2'],
  ])('is %s', (_, trusted, peer, forwarded, expected) => {
    expect(by(trusted, peer, forwarded)).toBe(expected)
  })

  it('reads no more of a long list than the last entries', () => {
    expect(by('loopback', '127.0.0.1', `${'9.9.9.9,'.repeat(1_000)}${'127.0.0.1,'.repeat(40)}127.0.0.1`)).toBe('127.0.0.1')
  })

  it('refuses a list that names something else', () => {
    for (const wrong of ['everyone', '10.0.0.0/33', '1.2.3', 'true']) expect(() => parseTrustedProxies(wrong), wrong).toThrow(TypeError)
  })
})

describe('rateSource', () => {
  it('counts each IPv4 address separately, and all of a /64 as one', () => {
    expect(rateSource('203.0.113.9')).toBe('203.0.113.9')
    expect(rateSource('2001:db8:1:2:aaaa::1')).toBe('2001:db8:1:2::/64')
    expect(rateSource('2001:db8:1:2::ffff')).toBe(rateSource('2001:0DB8:0001:0002:1:2:3:4'))
    expect(rateSource('2001:db8:1:3::1')).not.toBe(rateSource('2001:db8:1:2::1'))
    expect(rateSource('::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(rateSource('nobody')).toBe('')
  })
})

describe('setClientAddress', () => {
  it('drops what a client says of itself', () => {
    const request = asked('203.0.113.9', {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '1.1.1.1',
      [clientAddressHeader]: '9.9.9.9',
      host: 'a',
    })
    setClientAddress(request, parseTrustedProxies('10.0.0.0/8'))
    expect((request as { headers: unknown }).headers).toEqual({ host: 'a', [clientAddressHeader]: '203.0.113.9' })
  })

  it('keeps what a trusted proxy says', () => {
    const request = asked('10.0.0.1', {
      'x-forwarded-host': 'parley.example',
      'x-forwarded-for': '1.1.1.1',
      [clientAddressHeader]: '9.9.9.9',
    })
    setClientAddress(request, parseTrustedProxies('10.0.0.0/8'))
    expect((request as { headers: unknown }).headers).toMatchObject({
      'x-forwarded-host': 'parley.example',
      [clientAddressHeader]: '1.1.1.1',
    })
  })
})

describe('isLoopback', () => {
  it('knows this machine from others', () => {
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.9.9.9'].every(isLoopback)).toBe(true)
    expect(['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', '1127.0.0.1'].some(isLoopback)).toBe(false)
  })
})
