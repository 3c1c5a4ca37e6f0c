/**
 * Checks that take long, or need something from outside. What is missing is reported, and never counted as passed.
 *
 *   npm run test:external [-- chaos-cluster chaos-hub compiled containers documents invariants mutants one-page packages-node-20 packages-node-26 packages-bun packages-deno packages-browser packages-python pages python reach stripe theorems]
 *
 * Last line: {"name":"test:external","ok":true,"figures":{"passed":3,"failed":0,"missing":1,"checks":{"invariants":"passed", …}}}
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildAll, renderAbiFiles } from '../../contracts/abi/generate.ts'
import { planEscrowBytecode, voucherChannelsBytecode } from '../../contracts/abi/index.ts'
import { buildStandardInput } from '../../contracts/deploy/solc-standard-input.ts'
import { callerEnvironment } from '../../server/embedded/install/child-environment.mjs'
import { ensurePythonPackages, installedChromium } from '../../server/embedded/install/ensure-chromium-and-python.ts'
import { findContainerRuntime } from '../containers/container-runtime.ts'
import { runFuzz } from '../contracts/invariants/run-fuzz.ts'
import { hasRuby } from './has-ruby.ts'
import { installRuntime, type RuntimeName, runtimes } from './install-runtime.ts'

type Outcome = 'passed' | 'failed' | `missing: ${string}`
type Check = { readonly name: string; readonly about: string; readonly run: () => Promise<Outcome> }

const root = path.join(import.meta.dirname, '../..')
/** EIP-170. */
const maxCodeBytes = 24_576

/** Runs a file of the project on this Node, with its output here. */
function runFile(file: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [path.join(root, file), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    child.once('error', () => done('failed'))
    child.once('exit', (code) => done(code === 0 ? 'passed' : 'failed'))
  })
}

async function runInvariants(): Promise<Outcome> {
  const { output, holds } = await runFuzz({ profile: 'thorough' })
  console.log(output)
  return holds && output.includes('invariant_owesWhatItHolds() (runs: 200)') ? 'passed' : 'failed'
}

async function runStripe(): Promise<Outcome> {
  if (!/^(sk|rk)_test_/.test(process.env.STRIPE_TEST_KEY ?? '')) return 'missing: STRIPE_TEST_KEY, a key of Stripe’s test mode'
  return runTestFile('test/server/settlement/rails/stripe-rail.live.test.ts')
}

const runTestFile = (file: string, ...more: readonly string[]) => runFile('server/embedded/commands/run-tests.ts', [file, ...more])
const runPackages = (name: string) => runTestFile('test/external/packages.test.ts', '-t', name)

async function runPackagesOn(name: RuntimeName): Promise<Outcome> {
  if ((await installRuntime(name)) === null) return `missing: ${name}, from the npm registry`
  return runPackages(name)
}

async function runPythonPackage(): Promise<Outcome> {
  const isThere = await ensurePythonPackages(path.join(root, '.parley/logs'))
  return isThere ? runPackages('Python') : 'missing: python3 with websockets and cryptography'
}

async function runBrowserPackage(): Promise<Outcome> {
  const chromium = await installedChromium(path.join(root, '.parley'))
  return chromium ? runPackages('a browser') : 'missing: Chromium'
}

/** Those of the packages, one per place where they run. */
const packageChecks: readonly Check[] = [
  ...(Object.keys(runtimes) as RuntimeName[]).map((name) => ({
    name: `packages-${name.toLowerCase().replace(' ', '-')}`,
    about: `the installed packages on ${name}`,
    run: () => runPackagesOn(name),
  })),
  { name: 'packages-browser', about: 'the client library in a browser', run: runBrowserPackage },
  { name: 'packages-python', about: 'the installed wheel', run: runPythonPackage },
]

async function runPython(): Promise<Outcome> {
  const isThere = await ensurePythonPackages(path.join(root, '.parley/logs'))
  return isThere ? runTestFile('test/external/python-sdk.test.ts') : 'missing: python3 with websockets and cryptography'
}

/** The pictures stay in .parley/shots. */
const runPages = () => runFile('server/embedded/commands/run-tests.ts', ['test/browser/pages.test.ts'], { SHOTS: 'all' })

const runOnePage = async (): Promise<Outcome> => (hasRuby() ? runTestFile('test/external/one-page-agent.test.ts') : 'missing: ruby')

const runContainers = async (): Promise<Outcome> =>
  findContainerRuntime(callerEnvironment()) ? runFile('test/containers/main.ts') : 'missing: docker or podman'

/** The committed ABI files are what a build of the sources makes, every contract fits on a chain, and explorers can verify it. */
async function runCompiled(): Promise<Outcome> {
  const built = await buildAll()
  const stale = Object.entries(renderAbiFiles(built)).filter(
    ([file, text]) => readFileSync(path.join(root, 'contracts/abi', file), 'utf8') !== text,
  )
  const tooLarge = [...built].filter(([, { deployedBytecode }]) => (deployedBytecode.length - 2) / 2 > maxCodeBytes)
  for (const [file] of stale) console.log(`contracts/abi/${file} is stale: node contracts/abi/generate.ts`)
  for (const [file] of tooLarge) console.log(`${file} has more than ${maxCodeBytes} bytes of code.`)
  const unlike = Object.entries({
    'contracts/PlanEscrow.sol': planEscrowBytecode,
    'contracts/VoucherChannels.sol': voucherChannelsBytecode,
  })
    .filter(([file, bytecode]) => buildStandardInput(file) !== bytecode)
    .map(([file]) => file)
  for (const file of unlike) console.log(`The verification input of ${file} builds other code than the committed.`)
  return stale.length + tooLarge.length + unlike.length === 0 ? 'passed' : 'failed'
}

const checks: readonly Check[] = [
  { name: 'chaos-cluster', about: 'two hubs while one is killed, in short', run: () => runTestFile('test/external/chaos-cluster.test.ts') },
  {
    name: 'chaos-hub',
    about: 'a hub and its database while they are killed, in short',
    run: () => runTestFile('test/external/chaos-hub.test.ts'),
  },
  { name: 'compiled', about: 'the committed bytecode against a build of the sources', run: runCompiled },
  { name: 'containers', about: 'the images, and a market in them', run: runContainers },
  {
    name: 'documents',
    about: 'the commands and programs of the start page and of the command line, in order',
    run: () => runTestFile('test/external/documented-start.test.ts'),
  },
  { name: 'invariants', about: 'a hundred thousand random calls of the escrow', run: runInvariants },
  { name: 'mutants', about: 'every planted fault of the escrow', run: () => runFile('test/contracts/mutants/main.ts') },
  { name: 'one-page', about: 'an agent in Ruby that follows one page of the SPEC', run: runOnePage },
  ...packageChecks,
  { name: 'pages', about: 'every page in both themes and widths', run: runPages },
  { name: 'python', about: 'the Python library against a real hub', run: runPython },
  { name: 'reach', about: 'every branch of the contracts', run: () => runFile('test/contracts/reach/main.ts') },
  { name: 'stripe', about: 'the card rail against Stripe’s test mode', run: runStripe },
  {
    name: 'theorems',
    about: 'the contracts for all values, by a solver',
    run: () => runTestFile('test/external/contract-theorems.test.ts'),
  },
]

async function main(): Promise<boolean> {
  const names = process.argv.slice(2)
  const unknown = names.filter((name) => checks.every((check) => check.name !== name))
  if (unknown.length > 0)
    throw new Error(`There is no check ${unknown.join(', ')}. There are: ${checks.map(({ name }) => name).join(', ')}.`)
  const outcomes: Record<string, Outcome> = {}
  for (const { name, about, run } of checks.filter((check) => names.length === 0 || names.includes(check.name))) {
    console.log(`${name}: ${about}`)
    outcomes[name] = await run()
    console.log(`${name}: ${outcomes[name]}`)
  }
  const count = (prefix: string) => Object.values(outcomes).filter((outcome) => outcome.startsWith(prefix)).length
  const figures = { passed: count('passed'), failed: count('failed'), missing: count('missing'), checks: outcomes }
  const ok = figures.failed === 0 && figures.passed > 0
  console.log(JSON.stringify({ name: 'test:external', ok, figures }))
  return ok
}

process.exitCode = (await main()) ? 0 : 1
