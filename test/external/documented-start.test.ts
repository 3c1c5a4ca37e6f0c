// The start page and the guide of the command line, as a reader follows them: their commands run on the built web, with built-in agents.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyFreePort } from '../../server/embedded/processes/next-free-port.ts'
import { startBuiltinAgents, type TestAgents } from '../support/builtin-agents.ts'
import { consoleCommands, normalizeOutput, outputsOf, scriptOfExamples, withOutputs } from '../support/console-examples.ts'
import { startWeb, type WebProcess } from '../support/web.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

const root = path.join(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-start-'))
const page = readFileSync(path.join(root, 'docs/start.md'), 'utf8')
const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code)
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

let world: TestWorld
let web: WebProcess
let builtin: TestAgents
beforeAll(async () => {
  const port = await anyFreePort()
  world = await createWorld({ env: { PUBLIC_URL: `http://localhost:${port}` } })
  web = await startWeb(world, {}, port)
  builtin = await startBuiltinAgents(world, ['principal', 'calculator', 'tables'])
  // The program of the archive that the page installs, from its source.
  writeFileSync(path.join(folder, 'parley'), `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'agents/cli/src/main.ts')}' "$@"\n`)
  chmodSync(path.join(folder, 'parley'), 0o755)
})
afterAll(async () => {
  await builtin?.[Symbol.asyncDispose]()
  await web?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const env = () => ({
  ...process.env,
  PATH: `${folder}:${process.env.PATH}`,
  PARLEY_HOME: path.join(folder, 'home'),
  PARLEY_URL: world.hubUrl,
  // The program starts many times.
  NODE_COMPILE_CACHE: path.join(folder, 'cache'),
})

/** The commands of the page as one script. What runs until it is stopped runs beside the rest. */
function scriptOf(blocks: readonly string[]): string {
  const lines = blocks
    .join('\n')
    .split('\n')
    .filter((line) => !/^npm /.test(line))
    .map((line) =>
      line.startsWith('parley run ')
        ? `: > run.log\n${line} >> run.log 2>&1 &\nrunner=$!\ntrap 'kill $runner' EXIT\nuntil grep -q online run.log; do sleep 0.2; done`
        : line,
    )
  return ['set -e', ...lines, 'until grep -q paid run.log; do sleep 0.2; done'].join('\n')
}

describe('the start page', () => {
  it('has commands that ask, post a goal, publish an agent and hire it', async () => {
    const [listing = ''] = blocksOf('json')
    writeFileSync(path.join(folder, 'listing.json'), listing)
    const script = scriptOf(blocksOf('sh'))
    expect(script.match(/^parley /gm)?.length).toBeGreaterThanOrEqual(6)
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder, env: env() })
    expect(stdout).toContain(blocksOf('text')[0]?.trim())
    expect(stdout).toContain('90')
    expect(read('text-shout.txt').trim()).toBe('HELLO WORLD')
    expect(read('run.log')).toMatch(/paid 0\.10 USDC/)
  })
})

describe('the guide of the command line', () => {
  it('has examples whose outputs are those of the program (UPDATE_REFERENCE=1 writes them)', async () => {
    const [listing = ''] = blocksOf('json')
    const own = path.join(folder, 'guide')
    mkdirSync(own)
    writeFileSync(path.join(own, 'listing.json'), listing.replaceAll('shout', 'whisper').replaceAll('Shout', 'Whisper'))
    const guide = path.join(root, 'agents/cli/README.md')
    const text = readFileSync(guide, 'utf8')
    const home = path.join(own, 'home')
    const { stdout } = await promisify(execFile)('sh', ['-c', scriptOfExamples(consoleCommands(text), web.url)], {
      ...{ cwd: own, env: { ...env(), PARLEY_HOME: home } },
    })
    const places = {
      [world.hubUrl]: 'http://localhost:4000',
      [web.url]: 'http://localhost:3000',
      [new URL(web.url).host]: 'localhost:3000',
    }
    const updated = withOutputs(
      text,
      outputsOf(stdout).map((output) => normalizeOutput(output, places)),
    )
    if (process.env.UPDATE_REFERENCE === '1') writeFileSync(guide, updated)
    expect(updated).toBe(readFileSync(guide, 'utf8'))
    for (const file of ['settings.json', 'wallet.key']) expect(statSync(path.join(home, file)).mode & 0o777).toBe(0o600)
    expect(stdout).not.toContain(readFileSync(path.join(home, 'wallet.key'), 'utf8').trim().slice(2))
    expect(stdout).not.toContain(JSON.parse(readFileSync(path.join(home, 'settings.json'), 'utf8')).token)
  })
})

describe('the program that posts a goal', () => {
  it('buys work with the wallet of the command line', async () => {
    const key = read('home/wallet.key').trim()
    const program = path.join(root, 'agents/examples/post-goal.ts')
    const given = { ...env(), PARLEY_HUB: world.hubUrl, WALLET_KEY: key, GOAL: 'What is 20% of 50?' }
    const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: root, env: given })
    expect(stdout).toMatch(/20% of 50 = 10\.[\s\S]*\npaid\n$/)
  })
})
