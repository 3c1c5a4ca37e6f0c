// The commands and programs in the documentation are those of the product.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ListingDraft } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { hubRoutes } from '../../server/embedded/docs/reference/api-documents.ts'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const below = (folder: string) =>
  readdirSync(path.join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [`docs/${path.basename(folder)}/${name}`] : []))
const pages = ['docs/start.md', 'docs/sign-in.md', ...below('docs/guides'), ...below('docs/concepts'), 'agents/cli/README.md', 'README.md']

/** `file`: whose content it shows, as `ts file=PATH` names it. */
type Snippet = { readonly page: string; readonly language: string; readonly file: string | null; readonly code: string }

function snippetsIn(page: string, text: string): Snippet[] {
  return [...text.matchAll(/^( *)```(\w*)(?: file=(\S+))?\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', file, code = '']) => ({
      page,
      language,
      file: file ?? null,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

const shown = /(```\w+ file=(\S+)\n)[\s\S]*?^```$/gm
if (process.env.UPDATE_REFERENCE === '1')
  for (const page of pages) {
    const text = read(page)
    const updated = text.replace(shown, (_, head: string, file: string) => `${head}${read(file)}\`\`\``)
    if (updated !== text) writeFileSync(path.join(root, page), updated)
  }

const snippets = pages.flatMap((page) => snippetsIn(page, read(page)))
const ofLanguage = (...languages: string[]) => snippets.filter(({ language }) => languages.includes(language))
/** Lines of shell, with continued ones joined. */
const shellLines = ofLanguage('sh').flatMap(({ page, code }) =>
  code
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => ({ page, line: line.trim() })),
)

/** The words of a line after a program's name, without quoted texts; null if the line does not run it. */
function wordsAfter(program: string, line: string): string[] | null {
  const [, rest] = new RegExp(`(?:^|\\$\\()${program} ([^)|;]*)`).exec(line) ?? []
  return rest?.replace(/'[^']*'|"[^"]*"/g, 'TEXT').split(/\s+/) ?? null
}

describe('programs in the documentation', () => {
  it('are whole files of the repository, which the compiler and other tests check (UPDATE_REFERENCE=1 writes them)', () => {
    const files = snippets.filter(({ file }) => file !== null)
    expect(files.map(({ file }) => file)).toEqual(expect.arrayContaining(['agents/examples/post-goal.ts', 'agents/examples/quickstart.py']))
    for (const { page, file, code } of files) expect(code === read(file ?? ''), `${page} shows ${file}`).toBe(true)
  })

  it('are shell that a shell reads', () => {
    expect(shellLines.length).toBeGreaterThan(25)
    for (const { page, code } of ofLanguage('sh')) {
      const { status, stderr } = spawnSync('sh', ['-n'], { input: code.replaceAll(/<[a-z ]+>/g, 'X'), encoding: 'utf8' })
      expect([status, stderr], page).toEqual([0, ''])
    }
  })

  it('are JSON that can be read, and a listing that can be published', () => {
    const values = ofLanguage('json').map(({ code }) => JSON.parse(code) as unknown)
    expect(values.length).toBeGreaterThan(0)
    expect(values.filter((value) => !ListingDraft.safeParse(value).success)).toEqual([])
  })

  it('have a language', () => {
    expect(snippets.filter(({ page, language }) => language === '' && !['docs/sign-in.md'].includes(page)).map(({ page }) => page)).toEqual(
      [],
    )
  })
})

describe('commands in the documentation', () => {
  const help = read('docs/reference/command-line.md')
  /** The options of a command by its words: `ask`, `agents search`. */
  const optionsOf = (name: string) => {
    const section = help.split(`\n## parley ${name}\n`)[1]?.split('\n## ')[0]
    return section === undefined ? null : new Set(section.match(/--[a-z-]+/g))
  }
  const faultOf = (words: readonly string[]) => {
    const name = words[0] === 'agents' ? words.slice(0, 2).join(' ') : (words[0] ?? '')
    const options = optionsOf(name)
    if (options === null) return `there is no parley ${name}`
    const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
    return (
      own.flatMap((word) =>
        word.startsWith('--') && !options.has(word) && word !== '--hub' ? [`parley ${name} has no ${word}`] : [],
      )[0] ?? null
    )
  }

  it('of parley exist, with their options', () => {
    const lines = shellLines.flatMap(({ page, line }) => {
      const words = wordsAfter('parley', line)
      return words ? [{ page, words }] : []
    })
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.flatMap(({ page, words }) => (faultOf(words) ? [`${page}: ${faultOf(words)}`] : []))).toEqual([])
    expect([faultOf(['sell']), faultOf(['ask', 'TEXT', '--gift'])]).toEqual(['there is no parley sell', 'parley ask has no --gift'])
  })

  it('of npm exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const run = shellLines.flatMap(({ line }) => /npm run (?:-s )?([\w:]+)/.exec(line)?.[1] ?? [])
    expect(run.length).toBeGreaterThan(3)
    expect(run.filter((name) => !(name in scripts))).toEqual([])
    const files = shellLines.flatMap(({ line }) => /npm run node -- (\S+)/.exec(line)?.[1] ?? [])
    for (const file of files) expect(read(file).length).toBeGreaterThan(0)
  })

  it('of curl request what the hub answers', () => {
    const routes = new Set(hubRoutes.map(({ route }) => route.split(' ')[1]))
    const requested = shellLines.flatMap(({ line }) => /curl .*localhost:4000(\/[\w/.-]*)/.exec(line)?.[1] ?? [])
    expect(requested.length).toBeGreaterThan(2)
    expect(requested.filter((one) => !routes.has(one))).toEqual([])
  })

  it('of the packages name the archives that the build makes', () => {
    const named = snippets.flatMap(({ code }) => [...code.matchAll(/\/packages\/(\S+)/g)].map(([, name = '']) => name))
    const versions = ['protocol', 'agents', 'agents/cli'].map(
      (folder) => JSON.parse(read(`${folder}/package.json`)) as { name: string; version: string },
    )
    const archives = versions.map(({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    const wheel = `parley_agents-${/^version = "(.+)"$/m.exec(read('agents/python/pyproject.toml'))?.[1]}-py3-none-any.whl`
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((name) => ![...archives, wheel].includes(name))).toEqual([])
  })

  it('prepare the table that they ask about', () => {
    const line = shellLines.find((one) => one.line.startsWith('printf ') && one.page === 'docs/start.md')?.line ?? ''
    const written = execFileSync('sh', ['-c', line.replace(/ > .*$/, '')], { encoding: 'utf8' })
    expect(written.trim().split('\n')).toHaveLength(4)
  })
})
