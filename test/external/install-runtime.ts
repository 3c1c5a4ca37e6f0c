/** JavaScript runtimes besides our own, installed from the npm registry into `.parley/runtimes`. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '../..')

export const runtimes = {
  'Node 20': { package: 'node@20.20.0', file: 'node/bin/node', args: [] },
  'Node 26': { package: null, file: null, args: [] },
  Bun: { package: 'bun@1.4.5', file: 'bun/bin/bun.exe', args: [] },
  Deno: { package: 'deno@2.9.6', file: '.bin/deno', args: ['run', '--allow-all'] },
} as const

export type RuntimeName = keyof typeof runtimes

/** The command of a runtime. Null: the registry cannot be reached, or has no build of it for this system. */
export async function installRuntime(name: RuntimeName): Promise<readonly string[] | null> {
  const { package: wanted, file, args } = runtimes[name]
  if (wanted === null || file === null) return [process.execPath]
  const folder = path.join(root, '.parley/runtimes', wanted.replace('@', '-'))
  const program = path.join(folder, 'node_modules', file)
  const works = async () => {
    await promisify(execFile)(program, ['--version'], { timeout: 60_000 })
    return [program, ...args]
  }
  if (fs.existsSync(program)) return works().catch(() => null)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n')
  try {
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', wanted], { cwd: folder, timeout: 300_000 })
    return await works()
  } catch {
    return null
  }
}
