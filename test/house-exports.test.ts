// Each exported name has one meaning: one module defines it, and the others import it.
import { describe, expect, it } from 'vitest'
import { exportsIn, parseSources, readSources, type SourceExport } from './support/parse-sources.ts'

/** Names that Next.js requires of its files: every page and route has its own. https://nextjs.org/docs/app/api-reference/file-conventions */
const frameworkNames = new Set(['default', 'metadata', 'generateMetadata', 'dynamic', 'viewport', 'GET', 'POST'])
const frameworkFile =
  /^app\/(.*\/)?(page|layout|route|error|global-error|loading|not-found|icon|robots|sitemap|manifest|opengraph-image)\.tsx?$/

/** Functions with one file for each platform, of which `imports` in package.json chooses one. */
const platformFunctions = new Set(['openWebSocket'])

/** The names that several modules define, each with its places. */
function repeatedNames(exports: readonly SourceExport[]): string[] {
  const isOfFramework = ({ name, file }: SourceExport) =>
    name === 'default' || platformFunctions.has(name) || (frameworkNames.has(name) && frameworkFile.test(file))
  const byName = Map.groupBy(
    exports.filter((one) => !isOfFramework(one)),
    ({ name }) => name,
  )
  return [...byName].flatMap(([name, places]) => {
    const files = [...new Set(places.map(({ file }) => file))]
    return files.length > 1 ? [`${name}: ${files.join(', ')}`] : []
  })
}

describe('an exported name of the product', () => {
  const exports = parseSources(readSources(['server', 'app', 'agents', 'protocol/src', 'contracts']), exportsIn)

  it('is defined in one module', () => {
    expect(exports.length).toBeGreaterThan(3_000)
    expect(repeatedNames(exports)).toEqual([])
  })
})

describe('repeatedNames', () => {
  const repeatedIn = (texts: { readonly [file: string]: string }) =>
    repeatedNames(parseSources(new Map(Object.entries(texts)), exportsIn)).map((fault) => fault.split(':')[0])

  it('finds a name in every kind of declaration', () => {
    const one = 'export function a() {}\nexport const b = 1, c = 2\nexport type d = 1\nexport class e {}\nexport interface f {}'
    const other =
      'export const a = 1\nexport async function b() {}\nexport type c = 1\nexport type d = 2\nexport type e = 1\nexport type f = 1'
    expect(repeatedIn({ 'one.ts': one, 'other.ts': other })).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('finds a name that an export list defines or gives', () => {
    const lists = { 'a.ts': 'const x = 1\nexport { x }', 'b.ts': "export { y as x } from './y.ts'", 'c.ts': "export { x } from './a.ts'" }
    expect(repeatedIn(lists)).toEqual(['x'])
    expect(repeatedIn({ 'a.ts': lists['a.ts'], 'c.ts': lists['c.ts'] })).toEqual([])
  })

  it('allows a schema and its type in one file', () => {
    expect(repeatedIn({ 'a.ts': 'export const Id = z.string()\nexport type Id = string' })).toEqual([])
  })

  it('allows the names of Next.js in its files only', () => {
    const route = 'export async function GET() {}\nexport const dynamic = 1'
    expect(repeatedIn({ 'app/a/route.ts': route, 'app/b/route.ts': route })).toEqual([])
    expect(repeatedIn({ 'app/a/route.ts': route, 'server/a.ts': route, 'server/b.ts': route })).toEqual(['GET', 'dynamic'])
  })
})
