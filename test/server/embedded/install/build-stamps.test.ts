import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildStampFor, hashSources } from '../../../../server/embedded/install/build-stamps.ts'

let root = ''
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'stamps-'))
  onTestFinished(() => fs.rmSync(root, { recursive: true }))
})
const write = (name: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  fs.writeFileSync(path.join(root, name), text)
}

describe('hashSources', () => {
  it('changes with any content, name, or appearance of a file, deep down too', () => {
    write('app/page.tsx', 'one')
    const seen = [hashSources(root, ['app', 'next.config.js'])]
    const look = () => seen.push(hashSources(root, ['app', 'next.config.js']))
    write('app/page.tsx', 'two')
    look()
    write('app/deep/er/new.ts', '')
    look()
    fs.renameSync(path.join(root, 'app/page.tsx'), path.join(root, 'app/pages.tsx'))
    look()
    write('next.config.js', '')
    look()
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('stays the same for the same sources, regardless of generated files', () => {
    write('app/page.tsx', 'one')
    const before = hashSources(root, ['app'])
    write('app/node_modules/x.js', 'x')
    write('app/.next/y.js', 'y')
    fs.utimesSync(path.join(root, 'app/page.tsx'), 1, 1)
    expect(hashSources(root, ['app'])).toBe(before)
  })

  it('does not let a name run into a content', () => {
    write('a', 'bc')
    write('ab', 'c')
    expect(hashSources(root, ['a'])).not.toBe(hashSources(root, ['ab']))
  })
})

describe('stampFor', () => {
  it('is current only for the sources it was put for', () => {
    buildStampFor(root, 'web', 'one').put()
    expect(buildStampFor(root, 'web', 'one').isCurrent()).toBe(true)
    expect(buildStampFor(root, 'web', 'two').isCurrent()).toBe(false)
    expect(buildStampFor(root, 'other', 'one').isCurrent()).toBe(false)
  })

  it('is not current after it was taken off, as it is before the product is built again', () => {
    const stamp = buildStampFor(root, 'web', 'one')
    stamp.put()
    stamp.remove()
    expect(stamp.isCurrent()).toBe(false)
  })
})
