/**
 * Runs the tests against the escrow with each mutant of list.ts: the attacks, the model, the tests of the entry points, and for some
 * mutants the fuzzer. A mutant that all of them let pass is a hole in the proof, and fails.
 *
 *   npm run test:mutants [-- their numbers]
 *
 * Last line: {"name":"test:mutants","ok":true,"figures":{"mutants":20,"killed":20}}
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Hex } from 'viem'
import { runFuzz } from '../invariants/run-fuzz.ts'
import { buildMutants } from './build.ts'
import { type Mutant, mutants } from './list.ts'

type Results = {
  numTotalTests: number
  numFailedTests: number
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}

const root = path.join(import.meta.dirname, '../../..')
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')

async function main(): Promise<boolean> {
  const all = mutants.map((_, i) => i + 1)
  const chosen = process.argv.length > 2 ? process.argv.slice(2).map(Number) : all
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-mutants-'))
  try {
    console.log(`building ${mutants.length} mutants`)
    const bytecode = buildMutants()
    // The build with all of them asleep must pass, or the deaths below would mean nothing.
    const asleep = chosen === all ? await survives(folder, bytecode, 0) : true
    if (asleep !== true) console.log(`with all mutants asleep, this fails: ${asleep}`)
    let killed = 0
    for (const number of chosen) {
      const mutant = mutants[number - 1] as Mutant
      const first = await survives(folder, bytecode, number, mutant.triedFirst)
      const died = first === true ? await survives(folder, bytecode, number) : first
      if (died !== true) killed += 1
      console.log(line(number, mutant, died))
    }
    const ok = asleep === true && killed === chosen.length
    console.log(JSON.stringify({ name: 'test:mutants', ok, figures: { mutants: chosen.length, killed } }))
    return ok
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const line = (number: number, { name }: Mutant, died: true | string) =>
  `${died === true ? 'SURVIVED' : 'killed  '} ${number} ${name}${died === true ? '' : `\n           by: ${died}`}`

/** True if every test passes, of one file or of all; else the name of the first that failed, or what the fuzz found. */
async function survives(folder: string, bytecode: Hex, mutant: number, tried?: string): Promise<true | string> {
  const under = path.join(folder, 'under-test.json')
  const outcome = path.join(folder, `outcome-${mutant}.json`)
  writeFileSync(under, JSON.stringify({ bytecode, mutant }))
  if (tried === 'invariants') {
    const { output, holds } = await runFuzz({ only: 'owesWhatItHolds', under, profile: 'thorough' })
    return holds || (/Error: (\d+: .*)/.exec(output)?.[1] ?? 'the fuzz')
  }
  const config = path.join(import.meta.dirname, 'vitest.config.ts')
  const args = [
    vitest,
    'run',
    ...(tried ? [`test/contracts/${tried}.test.ts`] : []),
    '--config',
    config,
    '--reporter=json',
    `--outputFile=${outcome}`,
    ...(mutant === 0 ? [] : ['--bail=1']),
  ]
  await run(args, { ...process.env, ESCROW_UNDER_TEST: under })
  const results = JSON.parse(readFileSync(outcome, 'utf8')) as Results
  if (results.numTotalTests === 0) throw new Error('no test was run')
  if (results.numFailedTests === 0) return true
  const failed = results.testResults.flatMap((file) => file.assertionResults).find((test) => test.status === 'failed')
  return failed?.fullName ?? 'a test that has no name'
}

function run(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' })
    process.once('exit', () => child.kill())
    child.once('error', fail)
    child.once('exit', () => done())
  })
}

process.exitCode = (await main()) ? 0 : 1
