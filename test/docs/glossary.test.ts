import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const [, index = ''] = read('docs/glossary.md').split('\n## Terms that engineers search for\n')
const [present = '', missing = ''] = index.split('\n## Mechanisms that Parley does not have\n')
const rows = [...present.matchAll(/^\| ([^|`*-][^|`]*) \| `([^`]+)` \| (.+) \|$/gm)].map(([, term = '', file = '', about = '']) => ({
  term,
  file,
  about,
}))

/** Letters and digits only, so that "idempotency key", `idempotency-key.ts` and `idempotencyKey` are one. */
const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The words with hyphens between and around them: `-circuit-breaker-`. */
const kebab = (text: string) =>
  `-${text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()}-`

/** Headings, bold words, and the first cells of tables: the words that a document explains. */
const explained = (text: string): string[] => [
  ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading),
  ...[...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, bold = '']) => bold),
  ...[...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell),
]

/** Doc comments of the module and of its exported declarations or, in Solidity, of any declaration. */
const documented = (text: string, isSolidity: boolean): string[] => [
  ...[...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/(\n\n|\s*export\b)?/g)]
    .filter(({ 2: after, index }) => isSolidity || after !== undefined || index === 0)
    .map(([, comment = '']) => comment.replace(/\n\s*\*/g, ' ')),
  ...(isSolidity ? [...text.matchAll(/\/\/\/ (.+)/g)].map(([, comment = '']) => comment) : []),
]

/** The names in the code, without those in imports, comments and texts. */
const named = (text: string): string[] =>
  text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import [\s\S]*?from '.*'$|'[^'\n]*'|"[^"\n]*"/gm, ' ').match(/[A-Za-z_$][\w$]*/g) ?? []

/**
 * Whether the file is about the term. The term must occur in its name, a name in its code, a doc comment, or as a word that the document
 * explains.
 */
function isAbout(term: string, file: string, text: string): boolean {
  const words = /\.md$/.test(file) ? explained(text) : [...documented(text, file.endsWith('.sol')), ...named(text)]
  return [path.basename(file), ...words].some((one) => plain(one).includes(plain(term)))
}

describe('the index of docs/glossary.md', () => {
  it('has a row for each line of its table, in alphabetical order, each term once', () => {
    const lines = present.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| term |'))
    expect(rows).toHaveLength(lines.length)
    expect(rows.length).toBeGreaterThanOrEqual(40)
    const terms = rows.map(({ term }) => term.toLowerCase())
    expect(terms).toEqual([...new Set(terms)].sort((a, b) => a.localeCompare(b, 'en')))
  })

  it.each(rows)('finds $term in $file', ({ term, file, about }) => {
    expect(existsSync(path.join(root, file)), `${file} exists`).toBe(true)
    expect(isAbout(term, file, read(file)), `${file} names, documents or explains ${term}`).toBe(true)
    const others = [...about.matchAll(/`([a-z]+\/[\w./-]+)`/g)].map(([, other = '']) => other)
    expect(others.filter((other) => !existsSync(path.join(root, other)))).toEqual([])
  })

  it('names the code of each mechanism, and no document', () => {
    expect(rows.filter(({ file }) => file.endsWith('.md'))).toEqual([])
  })

  it('names no mechanism as missing that has a file', () => {
    const absent = [...missing.matchAll(/^\| (?!mechanism )([^|`*-][^|`]*) \| (.+) \|$/gm)].map(([, term = '', instead = '']) => ({
      term,
      instead,
    }))
    expect(absent.length).toBeGreaterThanOrEqual(10)
    expect(absent.map(({ term }) => term)).toEqual(absent.map(({ term }) => term).sort((a, b) => a.localeCompare(b, 'en')))
    const files = ['server', 'protocol/src', 'agents', 'contracts', 'app'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => !file.includes('node_modules')),
    )
    expect(files.length).toBeGreaterThan(1_000)
    for (const { term, instead } of absent) {
      expect(files.filter((file) => kebab(path.parse(file).name).includes(kebab(term)))).toEqual([])
      const others = [...instead.matchAll(/`([a-z]+\/[\w./-]+)`/g)].map(([, other = '']) => other)
      expect(others.filter((other) => !existsSync(path.join(root, other)))).toEqual([])
    }
  })
})

describe('isAbout', () => {
  const code =
    "import { lease } from './lease.ts'\n// a quorum\n/** A hidden saga. */\nconst inner = 'quota'\n/** Full\n * jitter. */\nexport const maxRetries = 3\n"

  it('takes the name of a file, names in the code, and doc comments of exports', () => {
    for (const term of ['back-off', 'retries', 'full jitter']) expect(isAbout(term, 'server/back-off.ts', code), term).toBe(true)
  })

  it('takes no import, text, plain comment, or doc comment of what is not exported', () => {
    for (const term of ['lease', 'quorum', 'saga', 'quota']) expect(isAbout(term, 'server/back-off.ts', code), term).toBe(false)
  })

  it('takes what a document explains, and not what it mentions', () => {
    const text = '# Retention\n\nA **tombstone** stays. A replica has a lease.\n\n| quota | replica |\n'
    for (const term of ['retention', 'tombstone', 'quota']) expect(isAbout(term, 'docs/x.md', text), term).toBe(true)
    for (const term of ['replica', 'lease']) expect(isAbout(term, 'docs/x.md', text), term).toBe(false)
  })
})
