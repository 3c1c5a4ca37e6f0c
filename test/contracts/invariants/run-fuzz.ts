/** Runs the stateful fuzz of this folder, as a person would. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

const root = path.join(import.meta.dirname, '../../..')
const cli = path.join(root, 'node_modules/hardhat/dist/src/cli.js')
const config = path.join(import.meta.dirname, 'hardhat.config.ts')

/**
 * @param only those whose name has this in it, such as `owesWhatItHolds`
 * @param under for ESCROW_UNDER_TEST: the escrow to put in the place of the committed one
 * @returns what was printed, and whether all of it held
 */
export async function runFuzz(only?: string, under?: string): Promise<{ output: string; holds: boolean }> {
  const args = [cli, '--config', config, 'test', 'solidity', ...(only ? ['--grep', only] : [])]
  const env = { ...process.env, ...(under && { ESCROW_UNDER_TEST: under }) }
  const { output, holds } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 1 << 26, env }).then(
    ({ stdout, stderr }) => ({ output: stdout + stderr, holds: true }),
    (error: { stdout?: string; stderr?: string }) => ({ output: `${error.stdout}${error.stderr}`, holds: false }),
  )
  return { output: stripVTControlCharacters(output), holds }
}
