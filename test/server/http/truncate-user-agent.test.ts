import { expect, it } from 'vitest'
import { truncateUserAgent } from '../../../server/http/truncate-user-agent.ts'

it('cuts a user agent that no browser sends, and leaves others and other headers', () => {
  const usual = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const headers: Record<string, string> = { 'user-agent': usual, accept: 'a'.repeat(9_000) }
  truncateUserAgent({ headers })
  expect(headers).toEqual({ 'user-agent': usual, accept: 'a'.repeat(9_000) })
  headers['user-agent'] = 'a'.repeat(12_000)
  truncateUserAgent({ headers })
  expect(headers['user-agent']).toHaveLength(512)
  const none = {}
  truncateUserAgent({ headers: none })
  expect(none).toEqual({})
})
