import { NextRequest } from 'next/server'
import { describe, expect, it } from 'vitest'
import { proxy } from '../proxy.ts'

function send(method: string, headers: Record<string, string>) {
  return proxy(new NextRequest('http://localhost:3000/api/trpc/goals.post', { method, headers: { host: 'localhost:3000', ...headers } }))
}

describe('proxy', () => {
  it.each([
    ['another site’s origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:3001' }],
    ['an opaque origin', { origin: 'null' }],
    ['a request that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a request that the browser calls same-site', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
  ])('refuses a write from %s', async (_, headers) => {
    const response = send('POST', headers)
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ code: 'auth.origin_refused' })
  })

  it.each([
    ['its own origin', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
    ['a program that is no browser', {}],
  ])('lets a write from %s through', (_, headers) => {
    expect(send('POST', headers).status).toBe(200)
  })

  it('lets reads from anywhere through', () => {
    expect(send('GET', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }).status).toBe(200)
  })

  it('gives each answer a policy with a nonce of its own, and no way for a foreign script', () => {
    const policies = [send('GET', {}), send('GET', {})].map((response) => response.headers.get('content-security-policy') ?? '')
    const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1])
    expect(nonces[0]).toBeTruthy()
    expect(nonces[0]).not.toBe(nonces[1])
    for (const policy of policies) {
      expect(policy).toMatch(/frame-ancestors 'none'/)
      expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toMatch(/unsafe-(inline|eval)|https?:|\*/)
    }
  })
})
