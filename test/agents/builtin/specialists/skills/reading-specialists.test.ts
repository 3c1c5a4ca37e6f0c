import { describe, expect, it } from 'vitest'
import { readingSpecialists } from '../../../../../agents/builtin/specialists/skills/reading-specialists.ts'
import type { Specialist } from '../../../../../agents/builtin/specialists/specialist.ts'
import { always, inOrder, runSpecialist, textInput } from '../run-specialist.ts'

const skill = (id: string): Specialist => {
  const found = readingSpecialists.find((one) => one.skill.id === id)
  if (!found) throw new Error(id)
  return found
}
const order = 'Order 881: Tilda Rask buys 12 lamps for “1,440.00 EUR”.'
const extraction = (value: string | null, quote: string | null, field = 'amount') => ({ records: [{ values: [{ field, value, quote }] }] })
const extract = skill('reading.extraction')
const query = { text: order, fields: [{ name: 'amount', description: 'The total.' }] }

describe('reading.extraction', () => {
  it('delivers each value with its words in the text', async () => {
    const { answer } = await runSpecialist(extract, { query }, always(extraction('1,440.00 EUR', '"1,440.00  EUR"')))
    expect(JSON.parse(answer.files[0]?.text ?? '')).toEqual({
      records: [{ amount: '1,440.00 EUR' }],
      quotes: [{ amount: '"1,440.00  EUR"' }],
    })
    expect(answer.text).toBe('amount: 1,440.00 EUR')
  })

  it.each([
    ['a quote that the text does not have', extraction('99', 'for 99 EUR'), 'does not stand in the text'],
    ['a number that its quote does not have', extraction('9,999.00 EUR', '1,440.00 EUR'), 'does not have the number 9'],
    ['a value without a quote', extraction('1,440.00 EUR', null), 'does not stand in the text'],
    ['a field that was not asked', extraction('Tilda', 'Tilda Rask', 'buyer'), 'no field “buyer”'],
    ['no record', { records: [] }, 'no record'],
  ])('refuses %s', async (_, content, reason) => {
    await expect(runSpecialist(extract, { query }, always(content))).rejects.toThrow(reason)
  })

  it('reports that the text has no such value', async () => {
    const { answer } = await runSpecialist(extract, { query }, always(extraction(null, null)))
    expect(answer.text).toBe('The text has none of these values.')
  })
})

describe('reading.classification', () => {
  const classify = skill('reading.classification')
  const asked = { items: ['It broke.', 'Lovely!'], labels: ['good', 'bad'] }
  const row = (item: number, label: string | null) => ({ item, label, reason: 'because' })

  it('delivers a label and a reason for each text', async () => {
    const { answer } = await runSpecialist(classify, { query: asked }, always({ items: [row(1, 'bad'), row(2, 'good')] }))
    expect(JSON.parse(answer.files[0]?.text ?? '')).toEqual([
      { text: 'It broke.', label: 'bad', reason: 'because' },
      { text: 'Lovely!', label: 'good', reason: 'because' },
    ])
    expect(answer.text).toBe('good: 1, bad: 1.')
  })

  it.each([
    ['a label that is not allowed', { items: [row(1, 'awful'), row(2, 'good')] }, 'none of the labels'],
    ['a text that is left out', { items: [row(1, 'bad')] }, 'once, in order'],
    ['a text that comes twice', { items: [row(1, 'bad'), row(1, 'good')] }, 'once, in order'],
  ])('refuses %s', async (_, content, reason) => {
    await expect(runSpecialist(classify, { query: asked }, always(content))).rejects.toThrow(reason)
  })

  it('classifies the lines of a file', async () => {
    const files = [textInput('It broke.\n\nLovely!\n')]
    const { answer } = await runSpecialist(
      skill('reading.file_classification'),
      { query: { labels: asked.labels }, files },
      always({ items: [row(1, 'bad'), row(2, null)] }),
    )
    expect(answer.text).toBe('bad: 1, no label: 1.')
  })
})

describe('reading.answer', () => {
  const ask = skill('reading.answer')
  const files = [textInput('The pool opens at 7 and closes at 21.', 'pool.txt'), textInput('The sauna is closed in July.', 'sauna.txt')]
  const found = (answer: string, document: number, quote: string) => ({ found: true, answer, quotes: [{ document, quote }] })

  it('delivers the answer with the words that prove it', async () => {
    const { answer } = await runSpecialist(
      ask,
      { query: { question: 'When does the pool open?' }, files },
      always(found('At 7.', 1, 'opens at 7')),
    )
    expect(answer.text).toBe('At 7.')
    expect(answer.files[0]?.text).toContain('- pool.txt: “opens at 7”')
  })

  it.each([
    ['words of another document', found('At 7.', 2, 'opens at 7'), 'Document 2 does not have these words'],
    ['a number that no quote has', found('At 8.', 1, 'opens at 7'), 'No quote has the numbers 8'],
    ['an answer without quotes', { found: true, answer: 'At 7.', quotes: [] }, 'An answer needs quotes'],
    ['a contradiction', { found: false, answer: 'Nothing.', quotes: [{ document: 1, quote: 'opens at 7' }] }, 'Without an answer'],
  ])('refuses %s', async (_, content, reason) => {
    await expect(runSpecialist(ask, { query: { question: 'When does the pool open?' }, files }, always(content))).rejects.toThrow(reason)
  })

  it('corrects a wrong quote once it is notified', async () => {
    const { asked } = await runSpecialist(
      ask,
      { query: { question: 'When?' }, files },
      inOrder(found('At 7.', 1, 'is open from 7'), found('At 7.', 1, 'opens at 7')),
    )
    expect(asked[1]?.messages.at(-1)?.content).toContain('is open from 7')
  })

  it('is refused, and so not paid, if the documents do not have the answer', async () => {
    const content = { found: false, answer: 'They say nothing of prices.', quotes: [] }
    await expect(runSpecialist(ask, { query: { question: 'What does it cost?' }, files }, always(content))).rejects.toThrow(
      'do not answer the question: They say nothing of prices.',
    )
  })
})
