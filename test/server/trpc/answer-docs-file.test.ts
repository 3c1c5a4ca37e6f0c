import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { indexBuiltFiles } from '../../../server/embedded/docs/index-built-files.ts'
import { answerDocsFile } from '../../../server/trpc/answer-docs-file.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-docs-'))
const served = path.join(folder, 'docs')
const files = {
  'index.html': '<h1>First</h1><script>start()</script><script src="/docs/assets/a.js"></script>',
  '404.html': '<h1>Missing</h1>',
  'guides/one.html': '<h1>One</h1>',
  'guides/one.md': '# One',
  'assets/a.js': 'start()',
}
for (const [name, text] of Object.entries(files)) {
  fs.mkdirSync(path.dirname(path.join(served, name)), { recursive: true })
  fs.writeFileSync(path.join(served, name), text)
}
fs.writeFileSync(path.join(served, 'index.json'), JSON.stringify(indexBuiltFiles(served)))
fs.writeFileSync(path.join(folder, 'secret.md'), 'secret')
fs.writeFileSync(path.join(served, 'unlisted.md'), 'secret')
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const get = (segments: readonly string[], headers: Record<string, string> = {}) =>
  answerDocsFile(new Request('http://localhost:3000/docs', { headers }), segments, served)

describe('answerDocsFile', () => {
  it.each([
    [[], 'text/html; charset=utf-8', 'First'],
    [['guides', 'one'], 'text/html; charset=utf-8', 'One'],
    [['guides', 'one.md'], 'text/markdown; charset=utf-8', '# One'],
    [['assets', 'a.js'], 'text/javascript; charset=utf-8', 'start()'],
  ])('gives %j', async (segments, mediaType, part) => {
    const response = await get(segments)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, mediaType])
    expect(await response.text()).toContain(part)
  })

  it.each([
    [['..', 'secret.md']],
    [['guides', '..', '..', 'secret.md']],
    [['..%2fsecret.md']],
    [['%2e%2e', 'secret.md']],
    [['../secret.md']],
    [['/etc/passwd']],
    [['unlisted.md']],
    [['index.json']],
    [['guides']],
    [['__proto__']],
    [['constructor']],
    [['guides', 'one\0.md']],
  ])('has no %j', async (segments) => {
    const response = await get(segments)
    const text = await response.text()
    expect([response.status, text]).toEqual([404, files['404.html']])
  })

  it('allows the inline scripts of its pages by hash, and none in other files', async () => {
    const policy = (await get([])).headers.get('content-security-policy')
    // The hash of `start()`.
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';/)
    expect((await get(['guides', 'one.md'])).headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
  })

  it('answers a known version without its content, and lets browsers keep files with a hash in their name', async () => {
    const first = await get(['guides', 'one'])
    const etag = first.headers.get('etag') ?? ''
    const again = await get(['guides', 'one'], { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect((await get(['assets', 'a.js'])).headers.get('cache-control')).toContain('immutable')
  })

  it('states what to do where none was built', async () => {
    const response = await answerDocsFile(new Request('http://localhost:3000/docs'), [], path.join(folder, 'none'))
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('npm run build')])
  })
})
