import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { extract } from 'tar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltPackage, buildPackages } from '../../../../server/embedded/packages/build-packages.ts'

const root = path.join(import.meta.dirname, '../../../..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-packages-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

let built: BuiltPackage[] = []
beforeAll(async () => {
  built = await buildPackages(root, path.join(folder, 'out'), path.join(folder, 'work'))
})

const byName = (name: string) => built.find((one) => one.name === name) ?? expect.fail(`There is no ${name}.`)

/** Unpacks the archive of a package into a project outside the repository, with the packages that it declares and no others. */
async function install(name: string): Promise<string> {
  const project = fs.mkdtempSync(path.join(folder, 'project-'))
  const target = path.join(project, 'node_modules', name)
  fs.mkdirSync(target, { recursive: true })
  await extract({ file: path.join(folder, 'out', byName(name).file), cwd: target, strip: 1 })
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const dependency of Object.keys(dependencies)) {
    fs.mkdirSync(path.dirname(path.join(project, 'node_modules', dependency)), { recursive: true })
    fs.symlinkSync(path.join(root, 'node_modules', dependency), path.join(project, 'node_modules', dependency))
  }
  return project
}

async function run(project: string, code: string): Promise<string> {
  fs.writeFileSync(path.join(project, 'main.mjs'), code)
  return (await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: project, env: { ...process.env, PATH: '' } })).stdout.trim()
}

describe('the packages', () => {
  it('are listed with the hash and the size of their bytes', () => {
    const { packages } = JSON.parse(fs.readFileSync(path.join(folder, 'out/index.json'), 'utf8')) as { packages: BuiltPackage[] }
    expect(packages).toEqual(built)
    for (const { file, sha256, size } of packages) {
      const bytes = fs.readFileSync(path.join(folder, 'out', file))
      expect([createHash('sha256').update(bytes).digest('hex'), bytes.length]).toEqual([sha256, size])
    }
  })

  it('have the same bytes when they are built again', async () => {
    expect(await buildPackages(root, path.join(folder, 'again'), path.join(folder, 'work-again'))).toEqual(built)
  })

  it.each([
    ['@parley/agents', ['@noble/ed25519', '@noble/hashes', '@scure/base', 'ws', 'zod']],
    ['@parley/protocol', ['@noble/hashes', '@scure/base', 'zod']],
    ['@parley/cli', ['@noble/ed25519', '@noble/hashes', '@scure/base', 'commander', 'viem', 'ws', 'zod']],
  ])('%s needs %j only', async (name, expected) => {
    const project = await install(name)
    const manifest = JSON.parse(fs.readFileSync(path.join(project, 'node_modules', name, 'package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual(expected)
  })

  it('run outside the repository', async () => {
    const agents = "import * as agents from '@parley/agents'; import { loadOrCreateSeed } from '@parley/agents/node'"
    expect(
      await run(await install('@parley/agents'), `${agents}\nconsole.log(typeof agents.agent, (await loadOrCreateSeed('key')).length)`),
    ).toBe('function 64')
    const protocol = "import { signerFromSeed, verifyEnvelope } from '@parley/protocol'"
    expect(
      await run(
        await install('@parley/protocol'),
        `${protocol}\nconsole.log((await signerFromSeed('11'.repeat(32))).did, typeof verifyEnvelope)`,
      ),
    ).toMatch(/^did:key:z6Mk\w+ function$/)
  })

  it('give small devices a client of at most 64 kB', async () => {
    const project = await install('@parley/agents')
    const stdin = { contents: "import { smallAgent } from '@parley/agents/small'\nconsole.log(typeof smallAgent)", resolveDir: project }
    const { outputFiles } = await build({ stdin, bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' })
    const code = outputFiles[0]?.text ?? ''
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(65_536)
    expect(await run(project, code)).toBe('function')
    expect(await run(project, "import { smallAgent } from '@parley/agents/small'\nconsole.log(typeof smallAgent)")).toBe('function')
  })

  it('start the command line, whose errors say what to do', async () => {
    const project = await install('@parley/cli')
    const bin = path.join(project, 'node_modules/@parley/cli/dist/main.js')
    const parley = (...args: string[]) =>
      promisify(execFile)(process.execPath, [bin, ...args], {
        cwd: project,
        env: { ...process.env, PARLEY_HOME: path.join(project, 'home') },
      })
    expect((await parley('--help')).stdout).toContain('Use a Parley market from a terminal.')
    await expect(parley('publish', 'a.json')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Run parley login') })
    await expect(parley('--hub', 'http://127.0.0.1:9', 'agents', 'search', 'x')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('http://127.0.0.1:9 cannot be reached'),
    })
  })

  it('give a strict compiler all types that their declarations name', async () => {
    const project = await install('@parley/agents')
    fs.writeFileSync(
      path.join(project, 'main.ts'),
      `import { agent, type SkillTask } from '@parley/agents'
const shout = ({ input }: SkillTask) => input.text.toUpperCase()
export const session = agent({ url: '', token: '', skills: { 'text.shout': shout } })
// @ts-expect-error a handler gives no number
export const wrong = agent({ url: '', token: '', skills: { 'text.shout': () => 1 } })
`,
    )
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--skipLibCheck',
      'false',
      '--types',
      '',
      '--lib',
      'es2022,dom',
    ]
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
    await expect(promisify(execFile)(process.execPath, [compiler, ...flags, 'main.ts'], { cwd: project })).resolves.toMatchObject({
      stdout: '',
    })
  })

  it('contain their licence, their sources for a debugger, and nothing of the built-in agents', async () => {
    const inside = path.join(await install('@parley/agents'), 'node_modules/@parley/agents')
    const files = fs.readdirSync(inside, { recursive: true }).map(String)
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js.map']))
    expect(files.filter((file) => file.includes('builtin'))).toEqual([])
    expect(JSON.parse(fs.readFileSync(path.join(inside, 'dist/index.js.map'), 'utf8')).sourcesContent[0]).toContain(
      'The client library of Parley',
    )
  })
})
