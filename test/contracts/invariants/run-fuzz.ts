/** Runs the stateful fuzz of this folder, as a person would. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify, stripVTControlCharacters } from 'node:util'
import { acquireFileLock } from '../../../server/embedded/processes/file-lock.ts'

const root = path.join(import.meta.dirname, '../../..')
const cli = path.join(root, 'node_modules/hardhat/dist/src/cli.js')
const config = path.join(import.meta.dirname, 'hardhat.config.ts')

type Printed = { readonly output: string; readonly holds: boolean }

export type FuzzOptions = {
  /** Those whose name has this in it, such as `owesWhatItHolds`; unset: all. */
  readonly only?: string | undefined
  /** For ESCROW_UNDER_TEST: the escrow to put instead of the committed one. */
  readonly under?: string | undefined
  readonly profile?: 'default' | 'thorough' | 'soak'
}

/** @returns what was printed, and whether all of it held */
export async function runFuzz({ only, under, profile = 'default' }: FuzzOptions = {}): Promise<Printed> {
  const built = await build()
  if (!built.holds) return built
  const args = ['test', 'solidity', '--no-compile', '--test-profile', profile, ...(only ? ['--grep', only] : [])]
  return hardhat(args, under ? { ESCROW_UNDER_TEST: under } : {})
}

/** What is deployed comes from the environment, so one build serves every escrow. Later callers wait for it. */
async function build(): Promise<Printed> {
  for (;;) {
    const lock = acquireFileLock(path.join(root, 'cache/fuzz.lock'))
    if ('release' in lock) return hardhat(['build']).finally(lock.release)
    await setTimeout(250)
  }
}

async function hardhat(args: readonly string[], env: Record<string, string> = {}): Promise<Printed> {
  const given = { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, ...env } }
  const { output, holds } = await promisify(execFile)(process.execPath, [cli, '--config', config, ...args], given).then(
    ({ stdout, stderr }) => ({ output: stdout + stderr, holds: true }),
    (error: { stdout?: string; stderr?: string }) => ({ output: `${error.stdout}${error.stderr}`, holds: false }),
  )
  return { output: stripVTControlCharacters(output), holds }
}
