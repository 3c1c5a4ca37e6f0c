import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { acquireFileLock } from '../../../../server/embedded/processes/file-lock.ts'

let file = ''
beforeEach(() => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'))
  file = path.join(dir, 'run/lock')
  onTestFinished(() => fs.rmSync(dir, { recursive: true }))
})

describe('acquireLock', () => {
  it('refuses the second taker, and names the first', () => {
    expect(acquireFileLock(file)).toHaveProperty('release')
    expect(acquireFileLock(file)).toMatchObject({ pid: process.pid })
  })

  it('can be taken again once released, and leaves nothing beside it', () => {
    const first = acquireFileLock(file)
    if ('release' in first) first.release()
    expect(acquireFileLock(file)).toHaveProperty('release')
    expect(fs.readdirSync(path.dirname(file))).toEqual(['lock'])
  })

  it('is taken over from an owner that is gone, though its id now belongs to another', () => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, JSON.stringify({ name: 'npm start', pid: process.pid, identity: 'an earlier boot/1' }))
    expect(acquireFileLock(file)).toHaveProperty('release')
  })

  it('is taken over from a file that was cut off', () => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, '{"na')
    expect(acquireFileLock(file)).toHaveProperty('release')
  })

  it('goes to one only of several that find a stale one together', async () => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, JSON.stringify({ name: 'npm start', pid: 1, identity: 'an earlier boot/1' }))
    const taker = `import { acquireFileLock } from ${JSON.stringify(path.resolve('server/embedded/processes/file-lock.ts'))}
      process.stdin.once('data', () => { process.stdout.write('release' in acquireFileLock(${JSON.stringify(file)}) ? 'mine' : 'theirs') })
      process.stdin.on('end', () => process.exit())`
    const takers = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module-typescript', '-e', taker], { stdio: 'pipe' }),
    )
    const answers = takers.map((child) => new Promise<string>((done) => child.stdout.once('data', (text) => done(String(text)))))
    for (const child of takers) child.stdin.write('go')
    expect((await Promise.all(answers)).sort()).toEqual(['mine', 'theirs', 'theirs', 'theirs'])
    for (const child of takers) child.stdin.end()
  })
})
