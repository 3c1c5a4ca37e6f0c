import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../server/embedded/processes/run-script.ts'

const version = '13.5.0'

/**
 * The path of Lighthouse's command line. It is installed from the npm registry at its first use: nothing else needs it.
 * @throws if the registry cannot be reached
 */
export async function installLighthouse(): Promise<string> {
  const folder = path.join(root, `.parley/tools/lighthouse-${version}`)
  const program = path.join(folder, 'node_modules/lighthouse/cli/index.js')
  if (fs.existsSync(program)) return program
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n')
  console.log(`Installing Lighthouse ${version}; this is done once.`)
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `lighthouse@${version}`]
  await promisify(execFile)('npm', args, { cwd: folder, timeout: 300_000 })
  return program
}
