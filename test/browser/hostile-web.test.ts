import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rateLimits } from '../../server/policy/index.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

/** What a hostile client sends to a running web, byte for byte; no browser would. */
let world: TestWorld
let web: WebProcess
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  web = await startWeb(world)
})
afterAll(async () => {
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

type Answer = { readonly status: number; readonly text: string }
/** `path` goes out as it is written: `fetch` would mend it. */
function ask(path: string, options: http.RequestOptions = {}, body: string | Buffer = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ ...options, host: 'localhost', port: new URL(web.url).port, path }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    request.once('error', reject)
    request.end(body)
  })
}

describe('an address', () => {
  it.each(
    [
      '/agents/a%00b',
      '/goals?text=%00',
      '/goals?after=%00',
      '/agents/%E0%A4%A',
      '/agents/%',
      '/agents?q=%ff',
      '/agents?after=AAA',
      '/agents?after=%5B1%5D',
      '/goals?after=AAA',
      '/goals/%2e%2e%2f',
      '/goals/gol_x/transcript?from=-1&task=%27',
      '/goals/gol_x/rooms/rom_x',
      '/goals/gol_x/transcript.csv?text=%27',
      '/receipts/pay_x',
      '/explorer/tx/0x%27',
      '/explorer/address/nobody',
      '/problems/constructor',
      '/problems/__proto__',
      '/publish/constructor',
      '/nothing-here',
      '/api/nothing-here',
      '/api/artifacts/constructor/x',
      '/api/calls/constructor/x',
      '/api/trpc/constructor',
      '/api/trpc/goals.constructor',
      '/api/trpc/__proto__.list',
      '/agents/constructor/listing.json',
      `/agents?q=${'a'.repeat(8_000)}`,
      `/goals?text=${'%F0%9F%98%80'.repeat(500)}`,
    ].map((path) => [path.slice(0, 80), path]),
  )('%s is answered below 500', async (_, path = '') => {
    const { status, text } = await ask(path)
    expect(status, text.slice(0, 300)).toBeLessThan(500)
    expect(text).not.toContain('server.internal_error')
  })

  it('that leads nowhere is not found', async () => {
    for (const path of ['/nothing-here', '/api/nothing-here', '/api/trpc/goals.nothing', '/goals/gol_x', '/problems/constructor'])
      expect((await ask(path)).status, path).toBe(404)
  })
})

describe('the rate of strangers', () => {
  it('is counted by their connection, not by their headers', async () => {
    const { burst } = rateLimits.identity
    const statuses: number[] = []
    for (let n = 0; n < burst + 15; n++) {
      const claims = {
        'x-forwarded-for': `203.0.113.${n}`,
        'x-parley-peer': `203.0.113.${n}`,
        forwarded: `for=203.0.113.${n}`,
        'x-real-ip': '1.1.1.1',
      }
      const headers = { 'content-type': 'application/json', ...claims }
      statuses.push((await ask('/api/trpc/identity.issueNonce', { method: 'POST', headers }, '{}')).status)
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(burst + 10)
    // One more may be allowed meanwhile, also the last.
    expect(statuses.slice(-10)).toContain(429)
  })
})

describe('a body', () => {
  const headers = { 'content-type': 'application/json' }
  it.each([
    ['that is no UTF-8', Buffer.from([0x7b, 0xff]), headers],
    ['of another type', '{}', { 'content-type': 'text/plain' }],
    ['without a type', '{}', {}],
    ['nested deep', '['.repeat(200_000), headers],
    ['that is empty', '', headers],
  ])('%s is answered below 500', async (_, body, sent) => {
    for (const path of ['/api/trpc/goals.post', '/api/trpc/markdown.format', '/api/chain', '/api/stripe']) {
      const { status, text } = await ask(path, { method: 'POST', headers: sent as http.OutgoingHttpHeaders }, body)
      expect(status, `${path} ${text.slice(0, 200)}`).toBeLessThan(500)
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })

  it('of Markdown comes back as a tree, and hostile Markdown in no time', async () => {
    const format = (text: string) => ask('/api/trpc/markdown.format', { method: 'POST', headers }, JSON.stringify({ json: { text } }))
    expect((await format('# Hi')).text).toContain('{"tag":"h1","children":["Hi"]}')
    const begun = performance.now()
    const answers = await Promise.all([format('*a_ '.repeat(16_000)), format('>'.repeat(10_000)), ask('/api/health')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(performance.now() - begun).toBeLessThan(3_000)
  })
})
