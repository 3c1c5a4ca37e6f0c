import fs from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressBuiltFiles } from '../../../../server/embedded/web/compress-built-files.ts'
import { compressResponses } from '../../../../server/embedded/web/compress-responses.ts'

const script = `console.log(${JSON.stringify('x'.repeat(5_000))})`
let root: string
let port: number
const server = createServer()
beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'compress-responses-'))
  fs.mkdirSync(path.join(root, '.next/static/chunks'), { recursive: true })
  fs.writeFileSync(path.join(root, '.next/static/chunks/a.js'), script)
  fs.writeFileSync(path.join(root, '.next/static/chunks/tiny.js'), '1')
  fs.writeFileSync(path.join(root, '.next/BUILD_ID'), 'secret')
  await compressBuiltFiles(path.join(root, '.next/static'))
  server.on(
    'request',
    compressResponses(root, (asked, response) => {
      const isStream = asked.url === '/stream'
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'text/html', 'x-asked': asked.url ?? '' })
      response.end('word '.repeat(1_000))
    }),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  fs.rmSync(root, { recursive: true, force: true })
})

/** Without the decompression and the cleaning of paths that `fetch` does. */
function get(path: string, encoding = 'br, gzip'): Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
  return new Promise((done, fail) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { 'accept-encoding': encoding } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => done({ headers: response.headers, body: Buffer.concat(parts) }))
    })
    asked.once('error', fail)
    asked.end()
  })
}

describe('the web process', () => {
  it('serves a built file as it was compressed, for a year', async () => {
    const { headers, body } = await get('/_next/static/chunks/a.js')
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/javascript' })
    expect(headers['cache-control']).toContain('immutable')
    expect(brotliDecompressSync(body).toString()).toBe(script)
  })

  it('serves it as it is to a client that takes no compression, and a tiny one to all', async () => {
    expect((await get('/_next/static/chunks/a.js', 'identity')).body.toString()).toBe(script)
    expect((await get('/_next/static/chunks/tiny.js')).headers['content-encoding']).toBeUndefined()
  })

  it.each(['/_next/static/none.js', '/_next/static/../BUILD_ID', '/_next/static/%2e%2e/BUILD_ID', '/_next/static/..%2fBUILD_ID'])(
    'leaves %s to the next handler, with its address',
    async (address) => {
      const { headers, body } = await get(address, 'identity')
      expect(headers['x-asked']).toBe(address)
      expect(body.toString()).not.toContain('secret')
    },
  )

  it('compresses pages, and no live stream', async () => {
    const page = await get('/')
    expect(page.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(page.body).toString()).toBe('word '.repeat(1_000))
    expect((await get('/', 'gzip')).headers['content-encoding']).toBe('gzip')
    const stream = await get('/stream')
    expect(stream.headers['content-encoding']).toBeUndefined()
    expect(stream.body.toString()).toBe('word '.repeat(1_000))
  })
})
