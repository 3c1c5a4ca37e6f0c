/** Patterns that take quadratic time on a text that its sender chose. */
import { describe, expect, it } from 'vitest'
import { readSources } from './support/parse-sources.ts'

const literal = /(?<=[\s(,=:!&|?])\/(?![/*])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[dgimsuvy]*/g
/** An alternative that is a run of one class at the end: it is tried from each place of each such run. */
const run = /(?:^|(?<!\\)\||\()(?:\[\^?(?:[^\]\\\n]|\\.)+\]|\\[swdp](?:\{\w+\})?|\.)[+*]\$(?:$|\||\))/

const slowPatterns = (text: string): string[] =>
  [...text.matchAll(literal)].flatMap(([whole, pattern = '']) => (run.test(pattern) ? [whole] : []))

describe('patterns', () => {
  it('look for a run at the end from its start only, with a lookbehind', () => {
    const texts = readSources(['agents', 'server', 'app', 'protocol/src'])
    expect(texts.size).toBeGreaterThan(1_000)
    expect([...texts].flatMap(([file, text]) => slowPatterns(text).map((one) => `${file}: ${one}`))).toEqual([])
  })

  it.each(["x.replace(/[.\\s]+$/, '')", "x.replace(/^ +|[,;]+$/g, '')", 'y = /\\s+$/u'])('of this kind are found: %s', (text) => {
    expect(slowPatterns(text)).toHaveLength(1)
  })

  it.each(["x.replace(/(?<![.\\s])[.\\s]+$/, '')", 'y = /^[a-z]+$/', 'y = /^x|\\|[ -]+$/'])('of other kinds are not: %s', (text) => {
    expect(slowPatterns(text)).toEqual([])
  })
})
