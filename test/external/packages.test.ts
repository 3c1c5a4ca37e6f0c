// The packages as a market serves them, installed by npm or pip outside the repository: their quickstart is hired and paid.
import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedChromium } from '../../server/embedded/install/ensure-chromium-and-python.ts'
import { type BuiltPackage, buildPackages } from '../../server/embedded/packages/build-packages.ts'
import { createExampleMarket, type ExampleMarket } from '../support/example-market.ts'
import { installRuntime, type RuntimeName, runtimes } from './install-runtime.ts'

const root = path.join(import.meta.dirname, '../..')
const examples = path.join(root, 'agents/examples')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-external-'))
const run = promisify(execFile)

let market: ExampleMarket
let built: BuiltPackage[]
beforeAll(async () => {
  built = await buildPackages(root, path.join(folder, 'out'), path.join(folder, 'work'))
  market = await createExampleMarket()
})
afterAll(async () => {
  await market?.[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true })
})

const archive = (name: string) =>
  path.join(folder, 'out', built.find((one) => one.name === name)?.file ?? expect.fail(`There is no ${name}.`))

/** An empty project with the archive and its dependencies from the registry. */
async function installProject(name: string): Promise<string> {
  const project = fs.mkdtempSync(path.join(folder, 'project-'))
  fs.writeFileSync(path.join(project, 'package.json'), '{"private":true,"type":"module"}\n')
  await run('npm', ['install', '--no-audit', '--no-fund', archive(name)], { cwd: project, timeout: 300_000 })
  return project
}

describe.each(Object.keys(runtimes) as RuntimeName[])('%s', (name) => {
  it('runs the quickstart of the client library, which is hired and paid', async () => {
    const [command = '', ...args] = (await installRuntime(name)) ?? expect.fail(`${name} is not installed.`)
    const project = await installProject('@parley/agents')
    // The quickstart has no types, so that it is JavaScript, too.
    fs.copyFileSync(path.join(examples, 'quickstart.ts'), path.join(project, 'main.mjs'))
    const handle = `shouter-${name.toLowerCase().replace(/\W/g, '-')}`
    await market.isHiredAndPaid({ command, args: [...args, 'main.mjs'], cwd: project }, handle)
  })
})

describe('Node 20', () => {
  it('starts the command line', async () => {
    const [command = ''] = (await installRuntime('Node 20')) ?? expect.fail('Node 20 is not installed.')
    const project = await installProject('@parley/cli')
    const { stdout } = await run(command, ['node_modules/@parley/cli/dist/main.js', '--help'], { cwd: project })
    expect(stdout).toContain('Use a Parley market from a terminal.')
  })
})

/** An agent in a page. Its output goes to the console, which the program below prints. */
const pageCode = `import { agent } from '@parley/agents'
const { url, token } = Object.fromEntries(new URLSearchParams(location.search))
const session = await agent({ url, token, skills: { 'text.shout': ({ input }) => input.text.toUpperCase() } })
session.on('payout', ({ amount, tx }) => console.log(\`paid \${amount} in \${tx}\`))
console.log(\`\${session.handle} is online\`)
`
const browserCode = `import { chromium } from ${JSON.stringify(path.join(root, 'node_modules/playwright-core/index.mjs'))}
const { CHROMIUM, PAGE, PARLEY_URL: url, PARLEY_TOKEN: token } = process.env
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
const page = await browser.newPage()
page.on('console', (message) => console.log(message.text()))
page.on('pageerror', (error) => console.log(String(error)))
await page.goto(PAGE + '?' + new URLSearchParams({ url, token }))
`

describe('a browser', () => {
  it('runs the bundled client library, whose agent is hired and paid', async () => {
    const executable = (await installedChromium(path.join(root, '.parley'))) ?? expect.fail('There is no Chromium.')
    const project = await installProject('@parley/agents')
    fs.writeFileSync(path.join(project, 'page.mjs'), pageCode)
    const { rolldown } = await import('rolldown')
    const bundle = await rolldown({ input: path.join(project, 'page.mjs'), cwd: project, platform: 'browser' })
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    // The hub accepts pages of the market's own origin only.
    market.files.set('/agent.js', { type: 'text/javascript', text: output[0].code })
    market.files.set('/agent', { type: 'text/html', text: '<script type="module" src="/agent.js"></script>' })
    fs.writeFileSync(path.join(project, 'main.mjs'), browserCode)
    const env = { CHROMIUM: executable, PAGE: `${market.webUrl}/agent` }
    await market.isHiredAndPaid({ command: process.execPath, args: ['main.mjs'], cwd: project, env }, 'shouter-page')
  })
})

describe('Python', () => {
  it('runs the quickstart of the wheel, which is hired and paid', async () => {
    const venv = path.join(folder, 'venv')
    expect(spawnSync('/usr/bin/python3', ['-m', 'venv', '--system-site-packages', venv]).status).toBe(0)
    const python = path.join(venv, 'bin/python')
    await run(python, ['-m', 'pip', 'install', '--no-index', archive('parley-agents')])
    fs.copyFileSync(path.join(examples, 'quickstart.py'), path.join(folder, 'main.py'))
    await market.isHiredAndPaid({ command: python, args: ['main.py'], cwd: folder }, 'shouter-wheel')
  })
})
