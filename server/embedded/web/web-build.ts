import fs from 'node:fs'
import path from 'node:path'
import { areDocsCurrent, ensureDocs } from '../docs/build-docs.ts'
import { buildStampFor, hashSources } from '../install/build-stamps.ts'
import { arePackagesCurrent, ensurePackages } from '../packages/build-packages.ts'
import { waitForFileLock } from '../processes/file-lock.ts'
import { runScript } from '../processes/run-script.ts'
import { compressBuiltFiles } from './compress-built-files.ts'

/** The files and folders that the web's build contains, from the root. Its modules import those of agents, too. */
export function webSources(root: string): string[] {
  const rooms = fs.readdirSync(path.join(root, 'server')).filter((name) => name !== 'embedded')
  const files = [
    'next.config.js',
    'postcss.config.mjs',
    'proxy.ts',
    'instrumentation.ts',
    'tsconfig.json',
    'tsconfig.web.json',
    'package-lock.json',
    'prisma/schema.prisma',
    'prisma/models',
  ]
  return [
    ...files,
    'app',
    'public',
    'agents',
    'protocol/src',
    'contracts/abi',
    'contracts/deploy',
    ...rooms.sort().map((name) => `server/${name}`),
  ]
}

/** Builds the web, and the packages and documents that it serves, unless they are current. True if it built the web. Waits for a concurrent build. */
export async function ensureWebBuild(root: string, stateDir: string, env: Record<string, string | undefined>): Promise<boolean> {
  const stamp = buildStampFor(path.join(stateDir, 'stamps'), 'web-build', hashSources(root, webSources(root)))
  const isBuilt = () => stamp.isCurrent() && fs.existsSync(path.join(root, '.next/BUILD_ID'))
  if (isBuilt() && arePackagesCurrent(root, stateDir) && areDocsCurrent(root, stateDir)) return false
  using _lock = await waitForFileLock(path.join(stateDir, 'web-build.lock'))
  await ensurePackages(root, stateDir)
  await ensureDocs(root, stateDir)
  if (isBuilt()) return false
  stamp.remove()
  await runScript('Building the web', 'node_modules/next/dist/bin/next', ['build'], { log: path.join(stateDir, 'logs/build.log'), env })
  await compressBuiltFiles(path.join(root, '.next/static'))
  stamp.put()
  return true
}
