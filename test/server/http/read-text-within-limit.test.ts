import { describe, expect, it } from 'vitest'
import { readTextWithinLimit } from '../../../server/http/read-text-within-limit.ts'
import { requestTargetFault } from '../../../server/http/request-target.ts'

function sent(chunks: Uint8Array[], headers: Record<string, string> = {}) {
  return { headers: new Headers(headers), body: new Blob(chunks as never[]).stream() as never }
}
const bytes = (text: string) => new TextEncoder().encode(text)

describe('readTextWithinLimit', () => {
  it('reads text over the borders of its pieces', async () => {
    const euro = bytes('a€b')
    expect(await readTextWithinLimit(sent([euro.slice(0, 2), euro.slice(2)]), 10)).toEqual({ ok: true, text: 'a€b' })
    expect(await readTextWithinLimit({ body: null }, 10)).toEqual({ ok: true, text: null })
  })

  it('refuses what is too long, announced or not, and reads no more of it', async () => {
    expect(await readTextWithinLimit(sent([bytes('short')], { 'content-length': '11' }), 10)).toMatchObject({ ok: false, status: 413 })
    let pulled = 0
    const endless = (async function* () {
      for (;;) {
        pulled++
        yield new Uint8Array(4)
      }
    })()
    expect(await readTextWithinLimit({ body: endless }, 10)).toMatchObject({ ok: false, status: 413 })
    expect(pulled).toBe(3)
  })

  it('refuses bytes that are no UTF-8', async () => {
    for (const wrong of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]])
      expect(await readTextWithinLimit(sent([Uint8Array.from(wrong)]), 10)).toMatchObject({ ok: false, status: 400 })
  })
})

describe('targetFault', () => {
  it.each([
    '/agents/a%00b',
    '/goals?text=%00',
    '/agents/%E0%A4%A',
    '/agents/%',
    '/agents?after=%ff',
    '/%ed%a0%80',
    '/agents/a\u0000b',
    '/goals?%00=1',
  ])('refuses %j', (target) => {
    expect(requestTargetFault(target)).not.toBeNull()
  })
  it.each([
    '/',
    '/goals?text=caf%C3%A9+noir&after=',
    '/agents/a%2Fb',
    '/api/trpc/a.b,c.d?batch=1&input=%7B%220%22%3A1%7D',
    '/%F0%9F%98%80',
  ])('takes %j', (target) => {
    expect(requestTargetFault(target)).toBeNull()
  })
})
