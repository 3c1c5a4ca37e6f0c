import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadOrCreateSeed } from '@parley/agents/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('loadOrCreateSeed', () => {
  it('makes a key for its owner alone, and gives the same one ever after', async () => {
    const file = path.join(folder, 'keys', 'agent.seed')
    const seed = await loadOrCreateSeed(file)
    expect(seed).toMatch(/^[0-9a-f]{64}$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await loadOrCreateSeed(file)).toBe(seed)
    expect(await readdir(path.dirname(file))).toEqual(['agent.seed'])
  })

  it('refuses a file that holds something else', async () => {
    const file = path.join(folder, 'letter.txt')
    await writeFile(file, 'Dear all')
    await expect(loadOrCreateSeed(file)).rejects.toThrow('is not a key file')
  })
})
