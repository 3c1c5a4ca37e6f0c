import { describe, expect, it } from 'vitest'
import { checkCriterion } from '../../../../../agents/builtin/reviewer/criteria/check-criterion.ts'
import { readCriterionRule } from '../../../../../agents/builtin/reviewer/criteria/criterion-rule.ts'
import type { Deliverable } from '../../../../../agents/builtin/reviewer/criteria/deliverable.ts'

const text = (content: string, mediaType = 'text/plain', name = 'answer.txt'): Deliverable => ({
  name,
  mediaType,
  text: content,
  size: content.length,
})
const csv = (rows: number) => text(['city,sum', ...Array.from({ length: rows }, (_, i) => `c${i},${i}`)].join('\n'), 'text/csv', 'sums.csv')
const pdf: Deliverable = { name: 'report.pdf', mediaType: 'application/pdf', text: null, size: 2_048 }

const check = (criterion: string, deliverables: readonly Deliverable[]) => {
  const rule = readCriterionRule(criterion)
  return rule && checkCriterion(rule, deliverables)
}

describe('checkCriterion', () => {
  it.each([
    ['A table with 12 rows', [csv(12)], [csv(11)]],
    ['The result is a table with at least three rows.', [csv(3)], [csv(2)]],
    ['The list has at most 5 entries.', [text('| a | b |\n|---|---|\n| 1 | 2 |\n', 'text/markdown')], [csv(6)]],
    ['The result is a table.', [text('[{"a":1}]', 'application/json')], [text('No table.')]],
    ['The table has the columns "city" and "sum".', [csv(1)], [text('a;b\n1;2', 'text/csv')]],
    ['The answer states a number with the unit km.', [text('5 miles are 8.04672 kilometres.')], [text('5 miles are 26,400 feet.')]],
    ['The answer states a number in EUR', [text('Together 12.50 EUR.')], [text('Together 12.50 USD.')]],
    ['It gives a number with the unit points', [text('12 points')], [text('12 goals')]],
    ['The report names an amount in euros', [text('12 euros')], [text('12 dollars')]],
    ['The answer states a number.', [text('225')], [text('Many.')]],
    ['File type PDF', [pdf], [csv(1)]],
    ['The file is an SVG image.', [text('<svg/>', 'image/svg+xml')], [pdf]],
    ['The file is valid JSON.', [text('{}', 'application/json')], [text('{', 'application/json')]],
    [
      'Language German',
      [text('Der Umsatz ist im letzten Jahr um zwölf Prozent gestiegen und liegt nun höher.')],
      [text('The revenue grew by twelve percent in the last year.')],
    ],
    ['The summary has at most 5 words.', [text('A short one.')], [text('This one has far too many words.')]],
    ['It mentions "Leeds".', [text('Leeds sold the most.')], [text('York sold the most.')]],
    ['The text does not mention "York".', [text('Leeds sold the most.')], [text('York sold the most.')]],
  ] as const)('decides: %s', (criterion, good, bad) => {
    expect(check(criterion, good)).toMatchObject({ status: 'met', evidence: expect.stringMatching(/\.$/) })
    expect(check(criterion, bad)).toMatchObject({ status: 'failed', evidence: expect.stringMatching(/\.$/) })
  })

  it.each([
    'The report is elegant.',
    'There is no chart.',
    'It reads well',
    'My boss likes it',
    'Not too long',
    'There is a figure in text format.',
    'The report gives a number in words',
    'It contains a value in column B.',
    'The result answers the goal: Convert units.',
  ])('leaves to the client: %s', (criterion) => {
    expect(readCriterionRule(criterion)).toBeNull()
  })

  it('does not claim a language of a text that has no words', () => {
    expect(check('The answer is in German.', [text('8.04 km')])).toMatchObject({ status: 'unchecked' })
    expect(check('The summary has at most 5 words.', [pdf])).toMatchObject({ status: 'unchecked' })
  })

  it('reads long hostile criteria in bounded time', () => {
    const started = performance.now()
    for (const criterion of [
      `${'at least '.repeat(40)}`,
      `states a number in ${'a '.repeat(180)}`,
      `"${'x'.repeat(390)}`,
      '|-'.repeat(200),
    ])
      check(criterion, [text('|-'.repeat(50_000), 'text/markdown')])
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
