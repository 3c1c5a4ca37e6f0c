/**
 * Which statements of the escrow the tests of this folder reach. An `if` that reverts or returns is two statements, so
 * what is not reached here is a branch that nobody took; `&&`, `||` and `?:` are one statement each.
 *
 *   node test/contracts/reach/main.ts
 *
 * Prints what was never reached. Last line: {"name":"contracts:reach","ok":true,"figures":{"statements":…,"reached":…}}
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compile, readSource } from '../../../contracts/abi/compile.ts'
import { type Statement, withProbes } from './probes.ts'

const root = path.join(import.meta.dirname, '../../..')
const entry = 'contracts/PlanEscrow.sol'

function build(): { bytecode: string; statements: Statement[] } {
  const library = withProbes.library()
  const statements = new Map<string, Statement[]>()
  const read = (file: string) => {
    if (file === library.filename) return library.content
    if (!file.startsWith('contracts/')) return readSource(file)
    const probed = withProbes(file, readSource(file))
    statements.set(file, probed.statements)
    return probed.source
  }
  const { bytecode } = compile(entry, { read, runs: 1 })
  return { bytecode, statements: [...statements.values()].flat() }
}

function runTests(under: string): Promise<number> {
  const config = path.join(root, 'test/contracts/mutants/vitest.config.ts')
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  return new Promise((done, fail) => {
    const env = { ...process.env, ESCROW_UNDER_TEST: under }
    const child = spawn(process.execPath, [vitest, 'run', '--config', config, '--reporter=dot', '--exclude=test/contracts/model/**'], {
      cwd: root,
      env,
      stdio: 'inherit',
    })
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}

const folder = mkdtempSync(path.join(tmpdir(), 'parley-reach-'))
try {
  const { bytecode, statements } = build()
  const under = path.join(folder, 'under-test.json')
  const reachedFolder = mkdtempSync(path.join(folder, 'reached-'))
  writeFileSync(under, JSON.stringify({ bytecode, mutant: 0, reached: reachedFolder }))
  const code = await runTests(under)
  const tags = new Set(readdirSync(reachedFolder).flatMap((file) => readFileSync(path.join(reachedFolder, file), 'utf8').split('\n')))
  const missed = statements.filter((statement) => !tags.has(statement.tag))
  for (const { file, line, text } of missed) console.log(`never reached: ${file}:${line} ${text}`)
  const figures = { statements: statements.length, reached: statements.length - missed.length }
  console.log(JSON.stringify({ name: 'contracts:reach', ok: code === 0 && missed.length === 0, figures }))
  process.exitCode = code === 0 && missed.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
