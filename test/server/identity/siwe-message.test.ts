import { createSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import type { Market } from '../../../server/context.ts'
import { parseSiweMessage, siweStatement } from '../../../server/identity/siwe-message.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const market = { publicUrl: 'https://parley.example:8443', chainId: 31_337 } as Market
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const fields = {
  address,
  chainId: 31_337,
  domain: 'parley.example:8443',
  nonce: 'abcdef0123456789',
  uri: 'https://parley.example:8443/publish',
  version: '1',
  statement: siweStatement,
  issuedAt: now,
  expirationTime: new Date(now.getTime() + 300_000),
} as const
type Fields = Parameters<typeof createSiweMessage>[0]
const write = (change: Partial<Fields>) => createSiweMessage({ ...fields, ...change })
const read = (text: string) => {
  try {
    return parseSiweMessage(text, market, now)
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}
const later = (ms: number) => new Date(now.getTime() + ms)

describe('parseSiweMessage', () => {
  it('reads who signs in, in lower case', () => {
    const did = `did:pkh:eip155:31337:${address.toLowerCase()}`
    expect(read(write({}))).toEqual({ did, address: address.toLowerCase(), nonce: 'abcdef0123456789', scopes: [] })
    expect(read(write({ scheme: 'https' }))).toMatchObject({ did })
  })

  it('reads the scopes among the resources', () => {
    const resources = ['urn:parley:scope:goals', 'urn:parley:scope:calls']
    expect(read(write({ resources }))).toMatchObject({ scopes: ['goals', 'calls'] })
  })

  it.each<[string, Partial<Fields>, string]>([
    ['a scope that does not exist', { resources: ['urn:parley:scope:everything'] }, 'request.malformed'],
    ['another domain', { domain: 'parley.example.evil.example' }, 'auth.origin_refused'],
    ['the domain without its port', { domain: 'parley.example' }, 'auth.origin_refused'],
    ['another origin', { uri: 'https://evil.example/' }, 'auth.origin_refused'],
    ['an origin that only begins alike', { uri: 'https://parley.example.evil.example:8443/' }, 'auth.origin_refused'],
    ['another scheme in its origin', { uri: 'http://parley.example:8443/' }, 'auth.origin_refused'],
    ['another scheme', { scheme: 'http' }, 'auth.origin_refused'],
    ['another chain', { chainId: 1 }, 'request.malformed'],
    ['another statement', { statement: 'I agree to pay everything.' }, 'request.malformed'],
    ['no statement', { statement: undefined }, 'request.malformed'],
    ['granted resources', { resources: ['urn:recap:eyJhdHQiOnt9fQ'] }, 'request.malformed'],
    ['no expiration time', { expirationTime: undefined }, 'request.malformed'],
    ['more than ten minutes of life', { expirationTime: later(600_001) }, 'request.malformed'],
    ['an expiration in the past', { expirationTime: later(-1) }, 'auth.nonce_invalid'],
    ['an expiration now', { expirationTime: later(0) }, 'auth.nonce_invalid'],
    ['an issue in the future', { issuedAt: later(60_001), expirationTime: later(120_000) }, 'auth.nonce_invalid'],
    ['an issue long ago', { issuedAt: later(-600_001), expirationTime: later(-1_000) }, 'auth.nonce_invalid'],
    ['a beginning that is still to come', { notBefore: later(60_001) }, 'auth.nonce_invalid'],
  ])('refuses %s', (_what, change, code) => {
    expect(read(write(change))).toBe(code)
  })

  it.each<[string, (text: string) => string]>([
    ['a word in front', (text) => `hello ${text}`],
    ['a line behind', (text) => `${text}\nResources: none`],
    ['other line ends', (text) => text.replaceAll('\n', '\r\n')],
    ['a wrong checksum in the address', (text) => text.replace('0xf39F', '0xF39F')],
    ['another version', (text) => text.replace('Version: 1', 'Version: 2')],
    ['a time that is none', (text) => text.replace('Expiration Time: 2026', 'Expiration Time: soon')],
    ['an impossible date', (text) => text.replace('Issued At: 2026-03-01', 'Issued At: 2026-02-31')],
    ['nothing', () => ''],
    ['far too much', (text) => text + ' '.repeat(5_000)],
  ])('refuses what the grammar does not have: %s', (_what, change) => {
    expect(read(change(write({})))).toBe('request.malformed')
  })
})
