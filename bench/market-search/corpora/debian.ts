/**
 * Descriptions of Debian packages: the query is a package's synopsis, the relevant listing its long description. The folder holds two
 * files of a release's main section: `Packages` (amd64) and `Translation-en`.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { hashText } from '../../../server/search/text/minhash-signature.ts'
import { queryWords, termOf, wordsOf } from '../../../server/search/text/tokenize.ts'
import { type Corpus, corpusListing } from './corpus.ts'

/** A package with a description. `part`: by the hash of its name, so that the parts never change. */
export type DebianPackage = {
  readonly name: string
  readonly synopsis: string
  readonly description: string
  readonly part: 'train' | 'dev' | 'test'
}
type Described = { readonly name: string; readonly synopsis: string; readonly long: string }
type Origin = { readonly source: string; readonly tags: number }

const leftOutNames = /-(dbg|dbgsym|doc|dev|data|common)$/
const leftOutSynopses = /transitional|dummy|metapackage|debug symbols/i
const minLong = 200
const minSynopsis = 12

export async function readDebianPackages(folder: string): Promise<DebianPackage[]> {
  const origins = readOrigins(await readFile(path.join(folder, 'Packages'), 'utf8'))
  const described = readDescriptions(await readFile(path.join(folder, 'Translation-en'), 'utf8'))
  const bySource = Map.groupBy(
    described.filter(
      ({ name, synopsis, long }) =>
        !leftOutNames.test(name) && !leftOutSynopses.test(synopsis) && long.length >= minLong && synopsis.length >= minSynopsis,
    ),
    ({ name }) => origins.get(name)?.source ?? name,
  )
  const chosen = [...bySource].map(([source, packages]) => choosePackage(source, packages, origins))
  chosen.sort((a, b) => (a.name < b.name ? -1 : 1))
  const [starts, synopses] = [new Set<string>(), new Set<string>()]
  return chosen.flatMap(({ name, synopsis, long }) => {
    const start = long.slice(0, 160)
    if (starts.has(start) || synopses.has(synopsis)) return []
    starts.add(start)
    synopses.add(synopsis)
    return [{ name, synopsis, description: long.replaceAll(synopsis, ' '), part: partOf(name) }]
  })
}

/** Sibling packages of one source describe the same program, so one stands for all. */
function choosePackage(source: string, packages: readonly Described[], origins: ReadonlyMap<string, Origin>): Described {
  const tagsOf = ({ name }: Described) => origins.get(name)?.tags ?? 0
  const sorted = packages.toSorted(
    (a, b) => Number(b.name === source) - Number(a.name === source) || tagsOf(b) - tagsOf(a) || (a.name < b.name ? -1 : 1),
  )
  return sorted[0] as Described
}

function partOf(name: string): DebianPackage['part'] {
  const rest = hashText(name) % 10
  return rest < 2 ? 'test' : rest === 2 ? 'dev' : 'train'
}

/** Source and number of debtags of each package. */
function readOrigins(text: string): Map<string, Origin> {
  const origins = new Map<string, Origin>()
  for (const paragraph of text.split('\n\n')) {
    const name = /^Package: (\S+)/m.exec(paragraph)?.[1]
    if (name === undefined || origins.has(name)) continue
    const source = /^Source: (\S+)/m.exec(paragraph)?.[1] ?? name
    const tags = /^Tag: (.*(?:\n .*)*)/m.exec(paragraph)?.[1]?.split(',').length ?? 0
    origins.set(name, { source, tags })
  }
  return origins
}

function readDescriptions(text: string): Described[] {
  return text.split('\n\n').flatMap((paragraph) => {
    const found = /^Package: (\S+)\n(?:.*\n)*?Description-en: (.*)\n([\s\S]*)/.exec(paragraph)
    if (!found) return []
    const [, name = '', synopsis = '', body = ''] = found
    const long = body
      .split('\n')
      .map((line) => (line.trim() === '.' ? '\n' : line.trim()))
      .join(' ')
    return [{ name, synopsis: synopsis.trim(), long: long.trim() }]
  })
}

/** `part`: whose synopses are the queries. All packages are listings. */
export function toDebianCorpus(packages: readonly DebianPackage[], part: DebianPackage['part'] = 'test'): Corpus {
  const listings = packages.map(({ description }, position) => corpusListing(position, { name: '', description }))
  const queries = packages.flatMap(({ synopsis, description, part: own }, position) =>
    own === part
      ? [{ text: synopsis, relevant: [(listings[position] as (typeof listings)[number]).agentId], isHard: isHard(synopsis, description) }]
      : [],
  )
  return { name: 'debian', listings, queries }
}

/** At least three words, of which at most 34 % occur in the description. */
function isHard(synopsis: string, description: string): boolean {
  const words = queryWords(synopsis)
  const terms = new Set(wordsOf(description).map(termOf))
  return words.length >= 3 && words.filter(({ term }) => terms.has(term)).length <= 0.34 * words.length
}
