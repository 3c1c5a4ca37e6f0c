import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { consumeRateLimit, rateLimits } from '../../../server/policy/index.ts'
import { answerPackage, answerPackageIndex } from '../../../server/trpc/answer-package.ts'
import { answerProtocolFile } from '../../../server/trpc/answer-protocol-file.ts'
import { openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()
const request = () => ({ ctx: world.ctx, source: '' })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-served-'))
const served = path.join(folder, 'built')
fs.mkdirSync(served)
const listed = { name: '@x/one', version: '1.0.0', file: 'x-one-1.0.0.tgz', sha256: 'ab'.repeat(32), size: 3 }
fs.writeFileSync(path.join(served, 'index.json'), JSON.stringify({ packages: [listed] }))
fs.writeFileSync(path.join(served, listed.file), Buffer.from([0, 1, 255]))
fs.writeFileSync(path.join(folder, 'secret'), 'secret')
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

describe('answerPackage', () => {
  it('gives the bytes of a listed file to any origin', async () => {
    const response = await answerPackage(request(), listed.file, served)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 1, 255]))
    expect(Object.fromEntries(response.headers)).toMatchObject({ etag: `"${listed.sha256}"`, 'access-control-allow-origin': '*' })
    expect(await (await answerPackageIndex(request(), served)).json()).toEqual({ packages: [listed] })
  })

  it.each(['../secret', 'index.json', '', 'x-one-1.0.0.tgz/', '/etc/hosts'])(
    'has none named %j, and names those that there are',
    async (file) => {
      const response = await answerPackage(request(), file, served)
      const problem = (await response.json()) as { code: string; hint: string }
      expect([response.status, problem.code, problem.hint]).toEqual([404, 'request.not_found', `There are: ${listed.file}.`])
    },
  )

  it('says what to do where none was built', async () => {
    const response = await answerPackageIndex(request(), path.join(folder, 'none'))
    expect(await response.json()).toMatchObject({ status: 404, hint: expect.stringContaining('npm run build') })
  })

  it('counts who asks', async () => {
    const stranger = { ctx: { ...world.ctx, actor: { kind: 'anonymous' as const } }, source: '198.51.100.78' }
    for (let n = 0; n < rateLimits.read.burst; n++) consumeRateLimit(stranger.ctx, 'read', stranger.source)
    expect((await answerPackage(stranger, listed.file, served)).status).toBe(429)
  })
})

describe('answerProtocolFile', () => {
  it.each([
    [['SPEC.md'], 'text/markdown; charset=utf-8', '# The Parley protocol'],
    [['schemas', 'envelope.json'], 'application/json; charset=utf-8', '"$schema"'],
    [['vectors', 'valid', 'listing.json'], 'application/json; charset=utf-8', '{'],
  ])('gives %j', async (segments, mediaType, part) => {
    const response = await answerProtocolFile(request(), segments)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, mediaType])
    expect(await response.text()).toContain(part)
  })

  it.each([
    [['README.md']],
    [['package.json']],
    [['src', 'index.ts']],
    [['schemas']],
    [['schemas', '..', 'package.json']],
    [['schemas', '%2e%2e', 'package.json']],
    [['vectors', 'valid', 'nothing.json']],
    [['SPEC.md', 'x.json']],
    [[]],
  ])('has no %j', async (segments) => {
    expect(await codeOf(await answerProtocolFile(request(), segments))).toEqual([404, 'request.not_found'])
  })
})
