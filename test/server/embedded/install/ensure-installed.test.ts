import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  checkDisk,
  checkNode,
  isInstalled,
  pinnedNode,
  SetupProblem,
  stampInstall,
} from '../../../../server/embedded/install/ensure-installed.mjs'

let root = ''
const lock = (packages: object) =>
  fs.writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages: { '': { name: 'x' }, ...packages } }))
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'install-'))
  onTestFinished(() => fs.rmSync(root, { recursive: true }))
  fs.mkdirSync(path.dirname(pinnedNode(root)), { recursive: true })
  fs.writeFileSync(pinnedNode(root), '')
  lock({ 'node_modules/a': { version: '1.0.0', integrity: 'x' } })
})

describe('isInstalled', () => {
  it('is false for a half-finished install, which has no stamp', () => {
    expect(isInstalled(root)).toBe(false)
    stampInstall(root)
    expect(isInstalled(root)).toBe(true)
  })

  it('is false once the lockfile asks for something else', () => {
    stampInstall(root)
    lock({ 'node_modules/a': { version: '1.0.1', integrity: 'y' } })
    expect(isInstalled(root)).toBe(false)
  })

  it('stays true when the lockfile was only completed for other platforms', () => {
    stampInstall(root)
    lock({ 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/a-darwin': { version: '1.0.0', optional: true } })
    expect(isInstalled(root)).toBe(true)
  })

  it('is false without the pinned Node', () => {
    stampInstall(root)
    fs.rmSync(pinnedNode(root))
    expect(isInstalled(root)).toBe(false)
  })
})

describe('checkNode', () => {
  it('names the version that is too old, and lets newer ones pass', () => {
    expect(() => checkNode('18.20.1')).toThrow(/Node 20 or newer.*18\.20\.1/)
    for (const version of ['20.0.0', '26.10.0', '100.0.0']) expect(() => checkNode(version)).not.toThrow()
  })
})

describe('checkDisk', () => {
  it('states how much is free and how much is needed', () => {
    expect(() => checkDisk(root, 0)).not.toThrow()
    expect(() => checkDisk(root, 1e18)).toThrow(SetupProblem)
    expect(() => checkDisk(root, 1e18)).toThrow(/GB free .* GB are needed/)
  })

  it('states where it cannot write', () => {
    fs.writeFileSync(path.join(root, '.parley'), 'a file where the folder should be')
    expect(() => checkDisk(root, 0)).toThrow(/cannot write there/)
  })
})
