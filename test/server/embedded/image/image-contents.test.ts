import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { traceImageFiles } from '../../../../server/embedded/image/trace-image-files.ts'
import { writeSbom } from '../../../../server/embedded/image/write-sbom.ts'
import { findContainerRuntime } from '../../../containers/container-runtime.ts'

let root: string
const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), text)
}
beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'image-contents-')))
  write('server/main.ts', "import { one } from './one.ts'\nimport { used } from 'used'\nconst sum: number = one + used\nconsole.log(sum)\n")
  write('server/one.ts', 'export const one: number = 1\n')
  write('server/unused.ts', 'export const two: number = 2\n')
  write('node_modules/used/package.json', '{"name":"used","version":"1.2.3","license":"MIT","main":"index.js"}')
  write('node_modules/used/index.js', 'exports.used = 1\n')
  write('node_modules/used/index.d.ts', 'export const used: number\n')
  write('node_modules/unused/package.json', '{"name":"unused","version":"4.5.6","main":"index.js"}')
  write('node_modules/unused/index.js', 'exports.unused = 1\n')
  write('packages/own/package.json', '{"name":"@parley/own","version":"0.1.0","main":"index.js"}')
  write('packages/own/index.js', 'exports.own = 1\n')
  write('.next/server/page.js', 'exports.page = 1\n')
  write('.next/cache/old.js', 'exports.old = 1\n')
  write('test/page.test.ts', 'export {}\n')
  const files = ['../node_modules/@parley/own/index.js', '../test/page.test.ts', 'server/page.js']
  write('.next/page.nft.json', JSON.stringify({ version: 1, files }))
  fs.mkdirSync(path.join(root, 'node_modules/@parley'))
  fs.symlinkSync('../../packages/own', path.join(root, 'node_modules/@parley/own'))
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const hub = { entries: ['server/main.ts'], folders: [], nextTraces: null }

describe('the contents of an image', () => {
  it('are what its programs import, without types', async () => {
    const { files, links } = await traceImageFiles(root, hub)
    expect(files).toEqual(['node_modules/used/index.js', 'node_modules/used/package.json', 'server/main.ts', 'server/one.ts'])
    expect(links.size).toBe(0)
  })

  it('are also whole folders and what Next has traced, a linked package once, and no test or cache', async () => {
    const { files, links } = await traceImageFiles(root, { ...hub, folders: ['.next'], nextTraces: '.next' })
    expect(files).toContain('packages/own/index.js')
    expect([...links]).toEqual([['node_modules/@parley/own', '../../packages/own']])
    expect(files).toContain('.next/server/page.js')
    expect(files.filter((file) => /^test|cache|@parley/.test(file))).toEqual([])
  })

  it('cannot be found before the build', async () => {
    await expect(traceImageFiles(root, { ...hub, folders: ['dist'] })).rejects.toThrow('dist is missing. Run npm run build first.')
    await expect(traceImageFiles(root, { ...hub, entries: ['server/none.ts'] })).rejects.toThrow('server/none.ts is missing.')
  })
})

describe('the bill of materials', () => {
  it('lists each package with a file in the image, with its license', async () => {
    const { files } = await traceImageFiles(root, hub)
    const target = path.join(root, 'sbom.json')
    expect(writeSbom(root, files, target)).toBe(1)
    const bom = JSON.parse(fs.readFileSync(target, 'utf8')) as { bomFormat: string; components: object[] }
    expect(bom.bomFormat).toBe('CycloneDX')
    expect(bom.components).toMatchObject([
      { name: 'used', version: '1.2.3', purl: 'pkg:npm/used@1.2.3', licenses: [{ license: { id: 'MIT' } }] },
    ])
  })
})

describe('the container runtime', () => {
  it('is null where the named one does not exist', () => {
    expect(findContainerRuntime({ CONTAINER_RUNTIME: '/no/such/runtime --option' })).toBeNull()
  })
})
