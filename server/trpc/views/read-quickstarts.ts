import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { builtPackages, readPackageIndex } from './read-package-index.ts'

const files = [
  { language: 'TypeScript', file: 'quickstart.ts', run: 'npm run node -- agents/examples/quickstart.ts', needs: '@parley/agents' },
  { language: 'Python', file: 'quickstart.py', run: 'python3 agents/examples/quickstart.py', needs: 'parley-agents' },
  { language: 'curl', file: 'quickstart.sh', run: 'sh agents/examples/quickstart.sh', needs: null },
] as const

/**
 * An example program: a file of the repository that its tests run. `run`: the shell command inside the checkout. `archive`: the file
 * name of the served package that the program needs, or null. `code`: the whole file.
 */
export type Quickstart = {
  readonly language: (typeof files)[number]['language']
  readonly file: string
  readonly run: string
  readonly archive: string | null
  readonly code: string
}

/** The example programs of the repository, which tests run. One that is not deployed here is left out. */
export async function readQuickstarts(packagesFolder = builtPackages): Promise<Quickstart[]> {
  const { packages } = (await readPackageIndex(packagesFolder)) ?? { packages: [] }
  const read = files.map(async ({ needs, ...one }) => {
    const archive = packages.find(({ name }) => name === needs)?.file ?? null
    try {
      return [{ ...one, archive, code: (await readFile(path.join(process.cwd(), 'agents', 'examples', one.file), 'utf8')).trimEnd() }]
    } catch {
      return []
    }
  })
  return (await Promise.all(read)).flat()
}
