/**
 * Which statements of the contracts the tests of this folder reach, and which ways each condition comes out in them: what an
 * `if`, a loop or `?:` asks, each operand of `&&` and `||` separately, what assembly asks, whether a `try` went well.
 *
 *   npm run test:reach
 *
 * Statements are counted by the instrumentation of Hardhat's own coverage. `hardhat test --coverage` counts nothing else, counts an
 * assembly block as one statement, and sees only tests that Hardhat runs (branches.test.ts).
 *
 * Prints what was never reached, and what never came out so. Last line:
 * {"name":"test:reach","ok":true,"figures":{"statements":…,"reached":…,"outcomes":…,"taken":…}}
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Hex } from 'viem'
import { compile, readSource } from '../../../contracts/abi/compile.ts'
import { wordsHarnessBytecode } from '../../../contracts/abi/mocks.ts'
import { planEscrowBytecode } from '../../../contracts/abi/plan-escrow.ts'
import { testUsdcBytecode } from '../../../contracts/abi/test-usdc.ts'
import { voucherChannelsBytecode } from '../../../contracts/abi/voucher-channels.ts'
import { conditionLibrary, impure, isOfACondition, type Outcome, withBranches } from './branch-probes.ts'
import { probeLibrary, type Statement, withProbes } from './statement-probes.ts'

const root = path.join(import.meta.dirname, '../../..')
const contracts = {
  'contracts/PlanEscrow.sol': planEscrowBytecode,
  'contracts/VoucherChannels.sol': voucherChannelsBytecode,
  'contracts/TestUSDC.sol': testUsdcBytecode,
  // The way into the libraries: what it is made of is what the others are made of.
  'contracts/mocks/WordsHarness.sol': wordsHarnessBytecode,
}

type Probed = { source: string; statements: Statement[]; outcomes: Outcome[] }

/** A source with probes for both. The statements are those of the source as it stands, in the same order. */
function probe(file: string): Probed {
  const text = readSource(file)
  const { source: instrumented, outcomes } = withBranches(file, text)
  const { source, statements: found } = withProbes(file, instrumented)
  const tags = found.filter((statement) => !isOfACondition(statement)).map(({ tag }) => tag)
  const { statements } = withProbes(file, text)
  if (tags.length !== statements.length) throw new Error(`${file} has ${statements.length} statements, and ${tags.length} with probes`)
  return { source, statements: statements.map((statement, i) => ({ ...statement, tag: tags[i] as string })), outcomes }
}

/** Every contract with probes in it, by the bytecode whose place it takes; the escrow; and what there is to reach and to take. */
function build(): Omit<Probed, 'source'> & { bytecode: Hex; probed: Record<Hex, Hex> } {
  const libraries = [probeLibrary(), conditionLibrary]
  // All of them before any is built: the compiler does one thing at a time, and reading is one.
  const known = new Map(globSync('contracts/{,escrow/,interfaces/,libraries/}*.sol', { cwd: root }).map((file) => [file, probe(file)]))
  const read = (file: string) => {
    const put = known.get(file)?.source ?? libraries.find(({ filename }) => filename === file)?.content
    return put ?? (file.startsWith('contracts/mocks/') ? impure(readSource(file)) : readSource(file))
  }
  const built = (file: string) => compile(file, { read, runs: 1 }).bytecode
  const probed = Object.fromEntries(Object.entries(contracts).map(([file, committed]) => [committed, built(file)])) as Record<Hex, Hex>
  const all = [...known.values()]
  const tags = all.flatMap((each) => [...each.statements, ...each.outcomes].map(({ tag }) => tag))
  if (new Set(tags).size < tags.length) throw new Error('two probes tell the same')
  return {
    bytecode: probed[planEscrowBytecode] as Hex,
    probed,
    statements: all.flatMap((each) => each.statements),
    outcomes: all.flatMap((each) => each.outcomes),
  }
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
  const { bytecode, probed, statements, outcomes } = build()
  const under = path.join(folder, 'under-test.json')
  const reachedFolder = mkdtempSync(path.join(folder, 'reached-'))
  writeFileSync(under, JSON.stringify({ bytecode, mutant: 0, probed, reached: reachedFolder }))
  const code = await runTests(under)
  const tags = new Set(readdirSync(reachedFolder).flatMap((file) => readFileSync(path.join(reachedFolder, file), 'utf8').split('\n')))
  const missed = statements.filter((statement) => !tags.has(statement.tag))
  for (const { file, line, text } of missed) console.log(`never reached: ${file}:${line} ${text}`)
  const never = outcomes.filter((outcome) => !tags.has(outcome.tag))
  for (const { file, line, text, came } of never) console.log(`never ${came}: ${file}:${line} ${text}`)
  const figures = {
    statements: statements.length,
    reached: statements.length - missed.length,
    outcomes: outcomes.length,
    taken: outcomes.length - never.length,
  }
  const ok = code === 0 && missed.length + never.length === 0
  console.log(JSON.stringify({ name: 'test:reach', ok, figures }))
  process.exitCode = ok ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
