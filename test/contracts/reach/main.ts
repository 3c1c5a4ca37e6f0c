/**
 * Which statements of the contracts the tests of this folder reach. An `if` that reverts or returns is two statements, so
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
import type { Hex } from 'viem'
import { compile, readSource } from '../../../contracts/abi/compile.ts'
import { epochPayoutsBytecode } from '../../../contracts/abi/epoch-payouts.ts'
import { jobEscrow8183Bytecode } from '../../../contracts/abi/job-escrow-8183.ts'
import { testUsdcBytecode } from '../../../contracts/abi/test-usdc.ts'
import { voucherChannelsBytecode } from '../../../contracts/abi/voucher-channels.ts'
import { probeLibrary, type Statement, withProbes } from './probes.ts'

const root = path.join(import.meta.dirname, '../../..')
const others = {
  'contracts/JobEscrow8183.sol': jobEscrow8183Bytecode,
  'contracts/VoucherChannels.sol': voucherChannelsBytecode,
  'contracts/EpochPayouts.sol': epochPayoutsBytecode,
  'contracts/TestUSDC.sol': testUsdcBytecode,
}

/** Every contract with probes in it: the escrow, the others by the bytecode whose place they take, and their statements. */
function build(): { bytecode: Hex; probed: Record<Hex, Hex>; statements: Statement[] } {
  const library = probeLibrary()
  const known = new Map<string, { source: string; statements: Statement[] }>()
  const read = (file: string) => {
    if (file === library.filename) return library.content
    if (!file.startsWith('contracts/')) return readSource(file)
    const probed = known.get(file) ?? withProbes(file, readSource(file))
    known.set(file, probed)
    return probed.source
  }
  const built = (file: string) => compile(file, { read, runs: 1 }).bytecode
  const bytecode = built('contracts/PlanEscrow.sol')
  const probed = Object.fromEntries(Object.entries(others).map(([file, committed]) => [committed, built(file)]))
  return { bytecode, probed, statements: [...known.values()].flatMap((each) => each.statements) }
}

function runTests(under: string): Promise<number> {
  const config = path.join(import.meta.dirname, 'vitest.config.ts')
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  return new Promise((done, fail) => {
    const env = { ...process.env, ESCROW_UNDER_TEST: under }
    const child = spawn(process.execPath, [vitest, 'run', '--config', config, '--reporter=dot'], { cwd: root, env, stdio: 'inherit' })
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}

const folder = mkdtempSync(path.join(tmpdir(), 'parley-reach-'))
try {
  const { bytecode, probed, statements } = build()
  const under = path.join(folder, 'under-test.json')
  const reachedFolder = mkdtempSync(path.join(folder, 'reached-'))
  writeFileSync(under, JSON.stringify({ bytecode, mutant: 0, probed, reached: reachedFolder }))
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
