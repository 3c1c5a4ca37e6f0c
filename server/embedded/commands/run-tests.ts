// `npm test [-- <vitest arguments>]`: runs all tests. The last line counts passed, failed and skipped tests.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { childEnvironment } from '../install/child-environment.mjs'
import { ensureChromium, ensurePythonPackages } from '../install/ensure-chromium-and-python.ts'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { printLine, step } from '../install/terminal-output.mjs'
import { ensurePrismaClient } from '../postgres/ensure-prisma-client.ts'
import { endScripts, root } from '../processes/run-script.ts'
import { ensureWebBuild } from '../web/web-build.ts'
import { readReport, testTotalsOf, totalsLine } from './test-totals.ts'

const stateDir = path.join(root, '.parley')
const logsDir = path.join(stateDir, 'logs')
const report = path.join(stateDir, 'test', `report-${process.pid}.json`)

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  await step(
    (isNew) => (isNew ? 'database client generated' : 'database client in step'),
    () => ensurePrismaClient(root, stateDir),
  )
  // A selection of tests does not need what only the whole suite needs.
  const isWhole = args.every((arg) => arg.startsWith('-'))
  if (isWhole) await ensurePythonPackages(logsDir)
  // Both run in parallel with the tests. A test that needs Chromium or the web build waits for it.
  const checking = isWhole ? buildAndCheck() : null
  const chromium = isWhole ? ensureChromium(stateDir) : null
  const code = await runVitest(args, chromium?.executable ?? null)
  await chromium?.done
  const checked = await checking
  if (checked) printLine(checked.printed)
  const outcome = readReport(report)
  fs.rmSync(report, { force: true })
  const totals = testTotalsOf(outcome, code)
  if (checked?.isClean === false) {
    totals.failed++
    printLine('Types or style are not in order; see above. This counts as one failure.')
  }
  if (outcome === null) printLine('The tests left no report: they were cut off. This counts as one failure.')
  else if (totals.failed === 1 && outcome.numFailedTests === 0)
    printLine('Something failed outside any single test; see above. This counts as one failure.')
  printLine(totalsLine(totals))
  return totals.failed === 0 ? 0 : 1
}

type Checked = { isClean: boolean; printed: string }

/** Builds the web, then checks types and style of the whole tree. The compiler reads the route types that the build writes. */
async function buildAndCheck(): Promise<Checked> {
  try {
    await ensureWebBuild(root, stateDir, { NODE_ENV: 'production', WEB_TYPES_CHECKED: 'elsewhere' })
  } catch (error) {
    return { isClean: false, printed: error instanceof Error ? error.message : String(error) }
  }
  return checkTypesAndStyle()
}

/** Runs the compiler and the linter on the whole tree, and keeps their output. */
async function checkTypesAndStyle(): Promise<Checked> {
  const checks = [
    ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.', '--checkers', '1'],
    ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ]
  let printed = ''
  for (const check of checks) {
    const child = spawn(process.execPath, check, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: childEnvironment() })
    const keep = (text: Buffer) => {
      printed += text
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const code = await new Promise((done) => child.once('close', done))
    if (code !== 0) return { isClean: false, printed }
  }
  return { isClean: true, printed: 'Types and style are in order.' }
}

/** Runs vitest in our process group, so that Ctrl-C reaches it too. */
function runVitest(args: string[], chromium: string | null): Promise<number> {
  // Tests of third parties' programs run only by name.
  const projects = args.some((arg) => arg.startsWith('test/external'))
    ? []
    : ['main', 'flows', 'browser'].map((name) => `--project=${name}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: childEnvironment(chromium ? { CHROMIUM: chromium } : {}),
  })
  const end = (name: NodeJS.Signals) => {
    endScripts(name)
    child.kill(name)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, end)
  process.on('disconnect', () => end('SIGTERM'))
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)))
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof SetupProblem ? error.message : error)
  printLine(totalsLine(testTotalsOf(null, 1)))
  return 1
})
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
