import { describe, expect, it } from 'vitest'
import { formatTools } from '../../../../../agents/builtin/tools/formats/index.ts'
import { splitGoalMaterial } from '../../../../../agents/builtin/tools/formats/split-goal-material.ts'
import { uncoveredGoals } from '../../../../../bench/goal-outcomes/corpus/uncovered-goals.ts'
import { askFormat } from './ask-format.ts'

/** The samples of the image tool need images, and are tested with them. */
const textTools = formatTools.filter(({ skill }) => skill.id !== 'image.convert')

describe.each(textTools)('$skill.id', (tool) => {
  const { skill, run } = tool

  it('gives the answers of its samples', async () => {
    for (const { input, output } of skill.samples) {
      const { text } = await run({ inputs: [{ port: 'query', type: skill.inputs[0]?.type ?? '', data: input as never }] })
      expect(text).toContain(output)
    }
  })

  it('takes no goal that no skill covers', async () => {
    for (const { text, files } of uncoveredGoals)
      if (!files || files.length === 0) expect([text, await askFormat(tool, text)]).toEqual([text, 'not taken'])
  })

  it('reads hostile goals in linear time', () => {
    const parts = [
      'a '.repeat(20_000),
      '{'.repeat(20_000),
      '<a '.repeat(7_000),
      '"'.repeat(20_000),
      '* '.repeat(20_000),
      'regex '.repeat(4_000),
      'convert '.repeat(3_000),
      '1 '.repeat(20_000),
      ' at '.repeat(5_000),
      '`'.repeat(20_001),
    ]
    for (const part of parts)
      for (const lead of [
        '',
        'format this json ',
        'cron for every ',
        'test regex ',
        'morse code for ',
        'roman numeral for ',
        'contrast of ',
        'markdown to html: ',
      ]) {
        const text = lead + part
        const start = performance.now()
        tool.readGoal({ text, words: text, quotations: [], files: [] })
        expect(performance.now() - start).toBeLessThan(1_500)
      }
  })
})

describe('splitGoalMaterial', () => {
  it.each([
    ['Encode this: "abc", please', 'Encode this: , please', ['abc']],
    ['Count:\n\na\nb\n', 'Count', ['a\nb']],
    ['convert `a` and `b`', 'convert and', ['a', 'b']],
    ['open https://example.com now', 'open https://example.com now', []],
    ['format\n```sql\nselect 1\n```\nthanks', 'format\n \nthanks', ['select 1']],
  ])('splits %j', (text, words, items) => {
    const split = splitGoalMaterial(text)
    expect(split.items).toEqual(items)
    expect(split.words.replace(/ +/g, ' ')).toBe(words)
  })
})
