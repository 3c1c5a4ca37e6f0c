import path from 'node:path'
import { limits } from '@parley/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { createMarkdownParser } from '../../../server/markdown/markdown-parser.ts'
import { type MarkdownNode, maxTreeBytes } from '../../../server/markdown/markdown-tree.ts'
import { parse } from '../../../server/markdown/worker.ts'

/** Texts that parsers of Markdown are known to take long for, each as long as a text may be. */
const full = (unit: string) => unit.repeat(Math.floor(limits.markdownLength / unit.length))
const lines = (lineOf: (n: number) => string) => {
  let text = ''
  for (let n = 0; text.length + lineOf(n).length < limits.markdownLength; n++) text += `${lineOf(n)}\n`
  return text
}
const hostile: { readonly [name: string]: string } = {
  'emphasis that never closes': full('*a_ '),
  'emphasis of all kinds': full('**a *b _c __d '),
  'strike-through': full('~a~~b '),
  quotes: '>'.repeat(10_000),
  'quotes to the end': full('>'),
  'lists in lists, on one line': full('- '),
  'lists in lists': lines((n) => `${' '.repeat(n)}- a`),
  'ordered lists in lists': full('1) '),
  'quotes and lists': full('> - '),
  'brackets that never close': full('['),
  'brackets in brackets': '['.repeat(32_000) + ']'.repeat(32_000),
  'links that never close': full('[a]('),
  'links to angle brackets': full('[a](<b'),
  'titles that never close': full('[a](b "'),
  pictures: `${'!['.repeat(30_000)}${'](x)'.repeat(10)}`,
  'references to long definitions': `[a]: /${'u'.repeat(2_000)}\n\n${'[a]'.repeat(20_000)}`,
  'many definitions': lines((n) => `[a${n}]: /u`),
  'backticks of all lengths': lines((n) => '`'.repeat(n + 1)),
  backticks: full('`a``b'),
  'wide tables': `${'|a'.repeat(8_000)}\n${'|-'.repeat(8_000)}\n${'|b'.repeat(8_000)}`,
  'tables of many rows': `a|b\n-|-\n${'x\n'.repeat(30_000)}`,
  'columns without cells': `${'|'.repeat(16_000)}\n${'|-'.repeat(8_000)}\n${'|\n'.repeat(8_000)}`,
  'raw markup': full('<a '),
  'comments that never close': full('<!--'),
  addresses: full('http://a.'),
  'mail addresses': `${'a.'.repeat(32_000)}@`,
  'web addresses': full('www.a.'),
  entities: full('&amp'),
  backslashes: full('\\'),
  fences: full('```\n'),
  headings: full('a\n=\n'),
  'line breaks': full('a  \n'),
  'pieces of sections': full('<![CDATA['),
  NULs: full('\u0000'),
}

function deepest(nodes: readonly MarkdownNode[] | undefined): number {
  return nodes === undefined ? 0 : Math.max(0, ...nodes.map((node) => (typeof node === 'string' ? 1 : 1 + deepest(node.children))))
}

/** CPU milliseconds of the fastest run, up to the first that takes less than `enough`. So other work of the machine does not count. */
function quickest(text: string, runs: number, enough = 0): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && best >= enough; run++) {
    const begun = process.cpuUsage()
    parse(text)
    const { user, system } = process.cpuUsage(begun)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

describe('parsing', () => {
  const prose = full('Some **plain** prose with a [link](https://example.com) and `code`.\n\n')
  for (let run = 0; run < 10; run++) parse(prose)
  const reference = Math.max(quickest(prose, 10), 2)

  it.each(Object.entries(hostile))('takes no longer for %s than for ten times as much prose', (_, text) => {
    expect(quickest(text, 30, 10 * reference)).toBeLessThan(10 * reference)
    const tree = parse(text)
    expect(tree === null || deepest(tree) <= 26).toBe(true)
  })

  it('takes 50 ms at most for the longest text, on a machine that is otherwise idle', () => {
    // Ten units of prose are far below 50 ms where this machine has a core to itself.
    const bound = Math.max(50, 10 * reference)
    expect(Math.max(...Object.values(hostile).map((text) => quickest(text, 30, bound)))).toBeLessThan(bound)
  })
})

describe('the parser', () => {
  // What else this machine does must not decide a test: a text is given as long as it needs.
  const parser = createMarkdownParser(undefined, 30_000)
  afterAll(() => parser.close())

  const treeFor = async (text: string, source = 'a reader') => (await parser.parse(text, source)).tree

  it('answers a tree', async () => {
    expect(await parser.parse('# Hi', 'a reader')).toEqual({ tree: [{ tag: 'h1', children: ['Hi'] }, '\n'], isBusy: false })
  })

  it('leaves the thread of its caller free for any input', async () => {
    let [longest, last] = [0, performance.now()]
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    await Promise.all(Object.values(hostile).map((text) => treeFor(text)))
    const notes = Array.from({ length: 300 }, (_, n) => `note *${n}*`)
    expect((await Promise.all(notes.map((note) => treeFor(note)))).includes(null)).toBe(false)
    clearInterval(timer)
    expect(longest).toBeLessThan(1_000)
    expect(await treeFor('still *there*')).not.toBeNull()
  })

  it('shows what is too long as it stands', async () => {
    expect(await parser.parse(`${'a'.repeat(limits.markdownLength)}*`, 'a reader')).toEqual({ tree: null, isBusy: false })
  })

  it('ends a thread that takes too long or breaks, and continues with another', async () => {
    const broken = createMarkdownParser(path.join(import.meta.dirname, 'broken-worker.ts'), 2_000)
    const begun = performance.now()
    expect(await broken.parse('hang', 'a reader')).toEqual({ tree: null, isBusy: false })
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(await broken.parse('throw', 'a reader')).toEqual({ tree: null, isBusy: false })
    await expect.poll(() => broken.parse('fine', 'a reader')).toMatchObject({ tree: ['fine'] })
    const again = performance.now()
    for (let times = 0; times < 100; times++) expect(await broken.parse('hang', 'another')).toEqual({ tree: null, isBusy: false })
    // One more thread would be given two seconds.
    expect(performance.now() - again).toBeLessThan(1_900)
    await broken.close()
  })

  it('lets a source that asks for much delay itself, and reports that it is busy', async () => {
    const begun = Array.from({ length: 40 }, (_, n) => full(`*${n}* `))
    const flood = begun.map((text) => parser.parse(text, 'a flood'))
    const reader = parser.parse('a *word*', 'a reader')
    const first = await Promise.race([reader.then(() => 'reader'), Promise.all(flood).then(() => 'flood')])
    expect(first).toBe('reader')
    expect((await reader).isBusy).toBe(false)
    const answers = await Promise.all(flood)
    expect(answers.some((one) => one.isBusy && one.tree === null)).toBe(true)
    const refused = begun.find((_, n) => answers[n]?.isBusy) ?? ''
    expect((await parser.parse(refused, 'a flood')).isBusy).toBe(false)
  })
})

describe('a tree', () => {
  it('is bounded in bytes, for all references in its text', () => {
    const references = `[a]: /${'u'.repeat(2_000)}\n\n${'[a]'.repeat(20_000)}`
    expect(parse(references)).toBeNull()
    for (const text of [...Object.values(hostile), full('漢字と*強調* '), full('- item\n')]) {
      const tree = parse(text)
      // Quotation marks and the like are spelled in two bytes.
      expect(Buffer.byteLength(JSON.stringify(tree))).toBeLessThan(2 * maxTreeBytes)
    }
    expect(parse(full('漢字と*強調* 漢字と漢字と漢字と漢字と'))).not.toBeNull()
  })
})
