// docs/writing.md as tests: words that are not written, and the length of sentences.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ProsePiece, parseSources, proseIn, readSources } from './support/parse-sources.ts'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** The words of the table in docs/writing.md, in all their forms. */
const bannedWords: { readonly [row: string]: RegExp } = {
  'whoever, somebody': /\b(whoever|whomever|somebody)\b/i,
  anew: /\banew\b/i,
  'by itself': /\bby (itself|themselves)\b/i,
  'is told': /\b(is|are|was|were|be|been|being) told\b/i,
  'comes in': /\b(comes?|came|coming) in\b/i,
  'what is owed, what was said': /\bwhat (is|was) (owed|said)\b/i,
  'nobody, anybody, everybody': /\b(nobody|anybody|everybody)\b/i,
  whatever: /\bwhatever\b/i,
  'tell, hear, say goodbye': /\b(tells?|told|hears?|heard|goodbyes?|says? (yes|no|nothing))\b/i,
  'thief, liar, scene': /\b(thief|thieves|liars?|scenes?|troupe)\b/i,
  'put forward, in pieces': /\b(put forward|in pieces|lets? hear|on their way)\b/i,
}
/** Rows that hold for code and documents. Readers of pages know some of these words from other products: "on its way", "Tell publishers". */
const codeRows = new Set(['tell, hear, say goodbye', 'put forward, in pieces'])
/** Hostile inputs, and documents on attacks. Only the first rows hold for them. */
const isAttack = (file: string) => /^(test\/fuzz\/|SECURITY\.md$|docs\/(authority|fuzzing)\.md$)/.test(file)
const firstRows = 6
/** Speech and theatre in names, also inside snake_case names. Data of tests may imitate people, and "say" is a term of SMTP and shells. */
const bannedNameWords = new Set('said told heard tell tells hear hears goodbye thief liar chapter nobody anybody everybody'.split(' '))
/** `castAgent`, not the cast of a type. The idempotency key of old rows is a hash over `said`. */
const isSpeech = (name: string) => /^cast[A-Z]/.test(name) || wordsOfName(name).some((word) => bannedNameWords.has(word))
const wordsOfName = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
/** "At most" and "at least" are comparisons, as in `atLeast`; a limit is a maximum or a minimum. */
const bannedName = /^(most|least)(?![a-z])|(?<![aA]t)(Most|Least)(?![a-z])/
const maxWords = 25

/** `text`: of literals in the code. They contain what clients write, so only the first rows hold for them, as for attacks. */
type Place = 'code' | 'catalogue' | 'text'
function bannedIn(text: string, place: Place = 'code'): string[] {
  const rows = Object.entries(bannedWords).filter(
    ([row], index) => place === 'code' || (place === 'text' ? index < firstRows : !codeRows.has(row)),
  )
  return rows.flatMap(([, pattern]) => pattern.exec(text)?.[0] ?? [])
}

type Page = { readonly file: string; readonly text: string }
/** The banned words of a Markdown, Solidity or Prisma file, by line. */
const wordFaults = ({ file, text }: Page) =>
  text
    .split('\n')
    .flatMap((line, index) => bannedIn(line, isAttack(file) ? 'text' : 'code').map((word) => `${file}:${index + 1} says "${word}"`))

/** Fixture data that imitates what people write is no prose of ours, so the texts of tests and simulations are left out. */
const isProse = (file: string, { kind }: ProsePiece) =>
  kind !== 'identifier' && (kind !== 'text' || !/^(test|bench|chaos|sim)\//.test(file))

const folders = ['server', 'app', 'agents', 'protocol', 'contracts', 'test', 'bench', 'chaos', 'sim', 'docs', 'deploy', 'prisma/models']
/** Records of runs, texts of others, and prompts of earlier versions, which records name and which are not changed. */
const isRecord = (file: string) =>
  /^(docs\/dawn\/|test\/contracts\/permit2\/)/.test(file) ||
  /\/prompts\/(critique\.v1|discover\.v[12]|plan\.v[123]|revise\.v1)\.md$/.test(file)

const rootFiles = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
function sourcesOf(pattern: RegExp): Map<string, string> {
  const inRoot = rootFiles.filter((file) => pattern.test(file)).map((file) => [file, read(file)] as const)
  return new Map([...readSources(folders, pattern), ...inRoot].filter(([file]) => !isRecord(file)))
}

type Sentence = { readonly text: string; readonly words: number }

/** The sentences of a Markdown text. Code, links and quotations of more than 30 characters count as one word, and a list item or cell is apart. */
function sentencesIn(markdown: string): Sentence[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '\n\n').replace(/<!--[\s\S]*?-->/g, '')
  const blocks = text.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|\n(?=[|#>])/)
  const cells = blocks.flatMap((block) => (block.startsWith('|') ? block.split(/(?<!\\)\|/) : [block]))
  return cells.flatMap((cell) => {
    const plain = cell
      .replace(/`[^`]*`/g, 'X')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/"[^"]{30,}"/g, 'X')
      .replace(/\s+/g, ' ')
    // A colon or a semicolon ends a clause that a reader can hold. A chain of links or steps is a list.
    return plain.split(/(?<=[.!?]["')\]*_]*)\s+(?=["(*]*[A-Z0-9[])|(?<=[;:])\s+| [·→] /).map((sentence) => ({
      text: sentence.trim(),
      words: sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    }))
  })
}

const longSentences = ({ file, text }: Page) =>
  sentencesIn(text).flatMap((sentence) => (sentence.words > maxWords ? [`${file}: ${sentence.words} words: ${sentence.text}`] : []))

/** The texts of a message catalogue, by key. */
function textsOf(catalogue: unknown, key: string): { readonly key: string; readonly text: string }[] {
  if (typeof catalogue === 'string') return [{ key, text: catalogue }]
  return Object.entries(catalogue ?? {}).flatMap(([name, value]) => textsOf(value, `${key}.${name}`))
}

/** A message as a reader sees it: of each choice its last branch, and one word for each value. */
function shownText(message: string): string {
  const start = message.indexOf('{')
  if (start < 0) return message
  const end = closingBrace(message, start)
  const inner = message.slice(start + 1, end)
  const isChoice = /^\w+, (plural|select|selectordinal),/.test(inner)
  const branches: string[] = []
  for (let at = inner.indexOf('{'); isChoice && at >= 0; at = inner.indexOf('{', at)) {
    const close = closingBrace(inner, at)
    branches.push(inner.slice(at + 1, close))
    at = close
  }
  return message.slice(0, start) + (isChoice ? shownText(branches.at(-1) ?? '') : 'X') + shownText(message.slice(end + 1))
}

/** The position of the brace that closes the one at `start`. */
function closingBrace(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at
  }
  return text.length
}

describe('docs/writing.md', () => {
  it('names the words for which there is a check', () => {
    const [, table = ''] = read('docs/writing.md').split('| do not write | write |')
    const rows = [...table.matchAll(/^\| ([^|-][^|]*?) \|/gm)].map(([, row = '']) => row)
    expect(rows).toEqual([...Object.keys(bannedWords).toSpliced(5, 0, 'most, least (in names)'), 'said, told, heard, chapter (in names)'])
  })
})

describe('prose', () => {
  const pages = [...sourcesOf(/\.md$/)].map(([file, text]) => ({ file, text }))
  const messages = [...readSources(['app/_messages/en'], /\.json$/)].flatMap(([file, text]) => textsOf(JSON.parse(text), file))
  const code = sourcesOf(/\.(tsx?|m?js)$/)
  const pieces = parseSources(code, (source, file) => proseIn(source).map((piece) => ({ ...piece, file })))

  it('of comments, test titles and messages in the code has no banned word', () => {
    expect(pieces.filter(({ kind }) => kind === 'comment').length).toBeGreaterThan(8_000)
    const prose = pieces.filter((piece) => piece.file !== 'test/house-prose.test.ts' && isProse(piece.file, piece))
    expect(
      prose.flatMap(({ file, kind, line, text }) =>
        bannedIn(text, isAttack(file) || kind === 'text' ? 'text' : 'code').map((word) => `${file}:${line} says "${word}"`),
      ),
    ).toEqual([])
  })

  it('of documents, contracts, database models and settings has no banned word', () => {
    const texts = [...sourcesOf(/\.(md|sol|prisma|ya?ml|py|sh|css|cfg)$|^\.env\.example$/)].map(([file, text]) => ({ file, text }))
    expect(texts.length).toBeGreaterThan(100)
    const guide = (text: string) => text.replace(/^\|.*\|$/gm, '')
    expect(texts.flatMap(({ file, text }) => wordFaults({ file, text: file === 'docs/writing.md' ? guide(text) : text }))).toEqual([])
  })

  it('of the message catalogue has no banned word', () => {
    expect(messages.length).toBeGreaterThan(1_000)
    expect(messages.flatMap(({ key, text }) => bannedIn(text, 'catalogue').map((word) => `${key} says "${word}"`))).toEqual([])
  })

  it(`of documents has sentences of at most ${maxWords} words`, () => {
    expect(pages.flatMap(longSentences)).toEqual([])
  })

  it(`of the message catalogue has sentences of at most ${maxWords} words`, () => {
    expect(messages.flatMap(({ key, text }) => longSentences({ file: key, text: shownText(text) }))).toEqual([])
  })

  it('names values by their content, not by speech or theatre', () => {
    const names = pieces.filter(
      ({ kind, file, text }) =>
        kind === 'identifier' && !isAttack(file) && file !== 'server/delivery/claim-idempotency-key.ts' && isSpeech(text),
    )
    expect([...new Set(names.map(({ file, line, text }) => `${file}:${line} ${text}`))]).toEqual([])
  })

  it('names a limit max or min', () => {
    const names = pieces.filter(({ kind, text }) => kind === 'identifier' && bannedName.test(text))
    expect([...new Set(names.map(({ file, line, text }) => `${file}:${line} ${text}`))]).toEqual([])
  })
})

describe('the checks', () => {
  const proseOf = (text: string) => parseSources(new Map([['a.tsx', text]]), proseIn)
  const found = (text: string) => proseOf(text).flatMap((piece) => (isProse('a.tsx', piece) ? bannedIn(piece.text) : []))

  it('read comments over several lines, texts, and markup', () => {
    expect(found('/** It comes\n * in by\n * itself. */')).toEqual(['by itself', 'comes in'])
    expect(found("const url = 'http://a/ anew' // Whoever")).toEqual(['anew', 'Whoever'])
    expect(found('const a = `$' + '{b} is told // $' + '{c}`')).toEqual(['is told', 'told'])
    expect(found('const a = <p>What was said</p>')).toEqual(['What was said'])
    expect(found('const whoever = /anew/ // income, retold, anewly')).toEqual([])
  })

  it('distinguish the title of a test from its data', () => {
    const text = "it.each([1])('counts anew', () => say('Somebody'))"
    expect(
      proseOf(text)
        .filter((piece) => isProse('test/a.test.ts', piece))
        .flatMap((piece) => bannedIn(piece.text)),
    ).toEqual(['anew'])
  })

  it('find speech in names, also in snake_case, and leave the cast of a type', () => {
    expect(['said', 'tellUnpaid', 'out_heard', 'castAgent', 'goodbye_ms'].filter(isSpeech)).toHaveLength(5)
    expect(['cast', 'storyteller', 'heardle', 'castle', 'broadcast'].filter(isSpeech)).toEqual([])
  })

  it('count the words of a sentence', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
    const lengths = (text: string) => sentencesIn(text).map((sentence) => sentence.words)
    expect(lengths(`The ${words(24)}. Then ${words(30)}.`)).toEqual([25, 31])
    expect(lengths(`The \`a b c\` and [a link](b.md) of *it*:\n- ${words(3)}\n- ${words(4)}`)).toEqual([7, 3, 4])
    expect(longSentences({ file: 'a.md', text: `| ${words(20)} | ${words(26)} |` })).toHaveLength(1)
    expect(longSentences({ file: 'a.md', text: `\`\`\`\n${words(40)}\n\`\`\`` })).toEqual([])
  })

  it('read a message with its choices', () => {
    expect(shownText('{n, plural, =0 {Nothing} one {One of {x}} other {# files}} by {who, select, you {you} other {{name}}}.')).toBe(
      '# files by X.',
    )
  })

  it('distinguish a limit from a comparison', () => {
    const isBanned = (name: string) => bannedName.test(name)
    expect(['most', 'least', 'mostFiles', 'goalLeast', 'most_times'].filter(isBanned)).toHaveLength(5)
    expect(['atLeast', 'setAsideAtLeast', 'AtMost', 'almost', 'mostly', 'Almost', 'leastways'].filter(isBanned)).toEqual([])
  })
})
