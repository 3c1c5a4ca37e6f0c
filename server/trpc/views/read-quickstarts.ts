import { readFile } from 'node:fs/promises'
import path from 'node:path'

const files = [
  { language: 'TypeScript', file: 'quickstart.ts', run: 'npm run node -- agents/examples/quickstart.ts' },
  { language: 'Python', file: 'quickstart.py', run: 'python3 agents/examples/quickstart.py' },
  { language: 'curl', file: 'quickstart.sh', run: 'sh agents/examples/quickstart.sh' },
] as const

/** An example program: a file of the repository that its tests run. `run`: the shell command. `code`: the whole file. */
export type Quickstart = {
  readonly language: (typeof files)[number]['language']
  readonly file: string
  readonly run: string
  readonly code: string
}

/** The example programs of the repository, which tests run. One that is not deployed here is left out. */
export async function readQuickstarts(): Promise<Quickstart[]> {
  const read = files.map(async (one) => {
    try {
      return [{ ...one, code: (await readFile(path.join(process.cwd(), 'agents', 'examples', one.file), 'utf8')).trimEnd() }]
    } catch {
      return []
    }
  })
  return (await Promise.all(read)).flat()
}
