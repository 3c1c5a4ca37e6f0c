import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { webSources } from '../../../../server/embedded/web/web-build.ts'
import { readSources } from '../../../support/parse-sources.ts'

const root = path.join(import.meta.dirname, '../../../..')
const packages: { readonly [name: string]: string } = {
  '@parley/protocol': 'protocol/src/index.ts',
  '@parley/agents': 'agents/src/index.ts',
}

/** The file of this repository that an import names, or null for a package. */
function importedFile(file: string, name: string): string | null {
  const known = packages[name]
  if (known !== undefined) return known
  if (!/^(\.|@\/)/.test(name)) return null
  const target = name.startsWith('@/') ? name.slice(2) : path.join(path.dirname(file), name)
  const found = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find(
    (one) => existsSync(path.join(root, one)) && statSync(path.join(root, one)).isFile(),
  )
  return found ?? null
}

/** All modules that those of the web import at run time, directly or not. */
function importedByWeb(): Set<string> {
  const found = new Set([...readSources(['app']).keys(), 'proxy.ts', 'instrumentation.ts'])
  for (const file of found) {
    const text = readFileSync(path.join(root, file), 'utf8')
    for (const [, clause = '', name = ''] of text.matchAll(/^(?:import|export)\s+(?!type\s)([^'"]*?)from\s+'([^']+)'/gm)) {
      const imported = clause.startsWith('type ') ? null : importedFile(file, name)
      if (imported !== null && /\.tsx?$/.test(imported)) found.add(imported)
    }
    for (const [, name = ''] of text.matchAll(/\bimport\('([^']+)'\)/g)) {
      const imported = importedFile(file, name)
      if (imported !== null && /\.tsx?$/.test(imported)) found.add(imported)
    }
  }
  return found
}

it('rebuilds the web after a change of any module that it imports', () => {
  const sources = webSources(root)
  const imported = [...importedByWeb()]
  expect(imported.length).toBeGreaterThan(700)
  const isCovered = (file: string) => sources.some((source) => file === source || file.startsWith(`${source}/`))
  expect(imported.filter((file) => !isCovered(file) && !file.startsWith('prisma/client/'))).toEqual([])
})
