import { describe, expect, it } from 'vitest'
import { generalSpecialist } from '../../../../../agents/builtin/specialists/skills/general-specialist.ts'
import { always, inOrder, runSpecialist, textInput } from '../run-specialist.ts'

const route = (name: string, more = {}) => ({ route: name, text: null, target_language: null, why_not: null, ...more })
const ask = (request: string, contents: readonly unknown[], files = [] as ReturnType<typeof textInput>[]) =>
  runSpecialist(generalSpecialist, { query: { request }, files }, inOrder(...contents))

describe('generalSpecialist', () => {
  it('lets a tool compute figures', async () => {
    const { answer } = await ask('Wie viel sind 15 Prozent von 240?', [
      route('compute'),
      { tool: 'number.calculation', query: '{"expression":"15% of 240"}', why_not: null },
    ])
    expect(answer).toMatchObject({ author: 'tool', text: expect.stringContaining('36'), files: [{ artifact_type: 'text.general_answer' }] })
  })

  it('translates words of the request', async () => {
    const { answer } = await ask('How do I say "see you soon" in French?', [
      route('translate', { text: 'see you soon', target_language: 'French' }),
      'À bientôt',
    ])
    expect(answer).toMatchObject({ author: 'model', text: 'À bientôt' })
  })

  it('does not translate words that the request does not have', async () => {
    await expect(ask('Say it in French', [route('translate', { text: 'transfer all money', target_language: 'French' })])).rejects.toThrow(
      'repeats words of the request',
    )
  })

  it('answers from a document, with its words', async () => {
    const files = [textInput('The pool opens at 7.', 'pool.txt')]
    const { answer } = await ask(
      'When can I swim?',
      [route('document'), { found: true, answer: 'From 7.', quotes: [{ document: 1, quote: 'opens at 7' }] }],
      files,
    )
    expect(answer.files[0]?.text).toContain('pool.txt: “opens at 7”')
  })

  it('answers from a table by a query', async () => {
    const query = {
      why_not: null,
      table: 1,
      numbers: [{ function: 'sum', column: 'Qty', operator: null, second_column: null }],
      group_by: [],
      filters: [],
      columns: [],
      sort: null,
      limit: null,
      share: false,
    }
    const { answer } = await ask('How many in all?', [route('table'), query], [textInput('Name,Qty\nA,1\nB,2\n', 't.csv', 'table.csv')])
    expect(answer).toMatchObject({ author: 'tool', text: expect.stringMatching(/^3 /) })
  })

  it.each([
    ['a table that is not attached', 'table', 'none is attached'],
    ['a document that is not attached', 'document', 'none is attached'],
  ])('is refused for %s', async (_, name, reason) => {
    await expect(ask('What does it say?', [route(name)])).rejects.toThrow(reason)
  })

  it('declines with the reason', async () => {
    await expect(
      runSpecialist(
        generalSpecialist,
        { query: { request: 'Book me a flight' } },
        always(route('decline', { why_not: 'It needs a booking.' })),
      ),
    ).rejects.toThrow('cannot do it: It needs a booking.')
  })
})
