import fs from 'node:fs'
import path from 'node:path'
import { buildStampFor, hashSources } from '../install/build-stamps.ts'
import { runScript } from '../processes/run-script.ts'

export const prismaCommandLine = 'node_modules/prisma/build/index.js'

/** Generates the database client unless it is current. True if it did. */
export async function ensurePrismaClient(root: string, stateDir: string): Promise<boolean> {
  const hash = hashSources(root, ['prisma/schema.prisma', 'prisma/models', 'prisma.config.ts', 'node_modules/prisma/package.json'])
  const stamp = buildStampFor(path.join(stateDir, 'stamps'), 'prisma-client', hash)
  if (stamp.isCurrent() && fs.existsSync(path.join(root, 'prisma/client/client.ts'))) return false
  stamp.remove()
  await runScript('Generating the database client', prismaCommandLine, ['generate'], {
    log: path.join(stateDir, 'logs/prisma-generate.log'),
  })
  stamp.put()
  return true
}
