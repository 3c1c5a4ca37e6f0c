import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const file = path.join(root, 'docs/operations/log-events.md')

type LogCall = { readonly file: string; readonly levels: readonly string[]; readonly event: string | null; readonly sentence: string }

/** Every log call in a source text: `log.warn({ event: 'noun.verb', … }, 'A sentence.')`, also as `log[isExpected ? 'warn' : 'error'](…)`. */
function logCalls(source: string, name: string): LogCall[] {
  return [...source.matchAll(/\blog(?:\.(debug|info|warn|error|fatal)|\[([^\]]*)\])\(/g)].map((call) => {
    const [, level, choice = ''] = call
    const args = argumentsAt(source, call.index + call[0].length)
    const event = /^\s*\{\s*event: '([^']*)'/.exec(args)?.[1] ?? null
    const sentence = (/([`'"])((?:(?!\1)[^\\]|\\.)*)\1,?\s*$/.exec(args)?.[2] ?? '').replace(/ \$\{.*\}/, '')
    const levels = level ? [level] : [...choice.matchAll(/'(\w+)'/g)].map(([, one = '']) => one)
    return { file: name, levels: levels.length > 0 ? levels : ['warn', 'error'], event, sentence }
  })
}

/** The text between the parenthesis before `start` and its partner. */
function argumentsAt(source: string, start: number): string {
  let depth = 1
  let quote = ''
  for (let at = start; at < source.length; at++) {
    const letter = source[at] ?? ''
    if (quote !== '') {
      if (letter === '\\') at++
      else if (letter === quote) quote = ''
    } else if (`'"\``.includes(letter)) quote = letter
    else if (letter === '(') depth++
    else if (letter === ')' && --depth === 0) return source.slice(start, at)
  }
  return ''
}

const sources = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('embedded/'))
  .sort()
const calls = sources.flatMap((name) => logCalls(readFileSync(path.join(root, 'server', name), 'utf8'), name))
const cell = (text: string) => text.replaceAll('|', '\\|')

/** The table of the page. The last column is written manually: `advice` by code. */
function eventsTable(advice: ReadonlyMap<string, string>): string {
  const sorted = calls.toSorted((a, b) => (a.event ?? '').localeCompare(b.event ?? '', 'en'))
  const rows = sorted.map(
    ({ event, levels, sentence }) => `| \`${event}\` | ${levels.join(', ')} | ${cell(sentence)} | ${advice.get(event ?? '') ?? ''} |`,
  )
  return ['| code | level | when | what to do |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

const adviceIn = (text: string) =>
  new Map([...text.matchAll(/^\| `([^`]+)` \|.* \| ((?:[^|\\]|\\.)*) \|$/gm)].map(([, code = '', advice = '']) => [code, advice.trim()]))

describe('log lines', () => {
  it('have an event code of the form noun.verb_past', () => {
    expect(calls.length).toBeGreaterThan(80)
    expect(
      calls.filter(({ event }) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(event ?? '')).map(({ file, event }) => [file, event]),
    ).toEqual([])
  })

  it('have a code of their own each', () => {
    const codes = calls.map(({ event }) => event)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  it('have a plain sentence', () => {
    expect(calls.filter(({ sentence }) => !/^[A-Z][^$]*\.$/.test(sentence)).map(({ file, sentence }) => [file, sentence])).toEqual([])
  })

  it('are found in all their forms', () => {
    const source = `
      log.warn({ event: 'a.failed', err }, 'One (of two).')
      log[isExpected ? 'warn' : 'error'](
        { event: 'b.failed', at: now() },
        'Two.',
      )
      log.error({ err }, 'three')`
    expect(logCalls(source, 'x').map(({ file: _, ...call }) => call)).toEqual([
      { levels: ['warn'], event: 'a.failed', sentence: 'One (of two).' },
      { levels: ['warn', 'error'], event: 'b.failed', sentence: 'Two.' },
      { levels: ['error'], event: null, sentence: 'three' },
    ])
  })
})

describe('docs/operations/log-events.md', () => {
  const table = /\| code \| level \| when \| what to do \|\n[\s\S]*?(?=\n\n|\n$)/

  it('has the row of every log line in the source (UPDATE_LOG_EVENTS=1 writes them)', () => {
    const text = readFileSync(file, 'utf8')
    if (process.env.UPDATE_LOG_EVENTS === '1')
      writeFileSync(
        file,
        text.replace(table, () => eventsTable(adviceIn(text))),
      )
    const written = readFileSync(file, 'utf8')
    expect(table.exec(written)?.[0]).toBe(eventsTable(adviceIn(written)))
  })

  it('states what to do for every line from warn on', () => {
    const advice = adviceIn(readFileSync(file, 'utf8'))
    const loud = calls.filter(({ levels }) => levels.some((level) => ['warn', 'error', 'fatal'].includes(level)))
    expect(loud.filter(({ event }) => (advice.get(event ?? '') ?? '').length < 5).map(({ event }) => event)).toEqual([])
  })
})
