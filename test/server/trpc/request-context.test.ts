import { describe, expect, it } from 'vitest'
import { type RequestContext, setSessionCookie } from '../../../server/trpc/request-context.ts'

function cookieAt(publicUrl: string, session: { token: string; expiresAt: string } | null): string {
  const reply = new Headers()
  setSessionCookie({ ctx: { market: { publicUrl } }, reply } as unknown as RequestContext, session)
  return reply.get('set-cookie') ?? ''
}
const session = { token: 'secret', expiresAt: '2026-06-01T12:00:00.000Z' }

describe('setSessionCookie', () => {
  it('ties the cookie to its host under https', () => {
    const cookie = cookieAt('https://parley.example', session)
    expect(cookie).toBe('__Host-parley_session=secret; Path=/; HttpOnly; SameSite=Lax; Expires=Mon, 01 Jun 2026 12:00:00 GMT; Secure')
  })

  it('works without https on a local machine', () => {
    expect(cookieAt('http://localhost:3000', session)).toMatch(/^parley_session=secret; Path=\/; HttpOnly; SameSite=Lax; (?!.*Secure)/)
  })

  it('takes the cookie back', () => {
    expect(cookieAt('https://parley.example', null)).toMatch(/^__Host-parley_session=; .*Max-Age=0/)
  })
})
