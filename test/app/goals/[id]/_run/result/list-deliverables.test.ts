import { describe, expect, it } from 'vitest'
import { answerText, listDeliverables } from '../../../../../../app/goals/[id]/_run/result/list-deliverables.ts'

const file = (type: string) => ({ sha256: type.padEnd(64, '0'), name: type, media_type: 'text/plain', artifact_type: type, size: 1 })
const partsOf = (...types: string[]) => [{ text: 'Done.' }, ...types.map((type) => ({ artifact: { sha256: type.padEnd(64, '0') } }))]
const shown = (...types: string[]) => listDeliverables(partsOf(...types), types.map(file)).map((one) => one.artifact_type)

describe('listDeliverables', () => {
  it('shows the report first, then pictures, and neither bundle, verdict nor what only serves other steps', () => {
    expect(shown('answer.bundle', 'table.series', 'chart.svg', 'analysis.trend', 'report.markdown', 'review.verdict')).toEqual([
      'report.markdown',
      'chart.svg',
    ])
  })
  it('shows a table that is the only file', () => {
    expect(shown('answer.bundle', 'table.series')).toEqual(['table.series'])
  })
  it('shows each file once, and none that is not there', () => {
    expect(listDeliverables([...partsOf('text.summary'), ...partsOf('text.summary', 'gone')], [file('text.summary')])).toHaveLength(1)
  })
  it.each([null, undefined, 'text', 5, [null, 'x', { artifact: null }, { artifact: { sha256: 5 } }]])('shows nothing for %j', (answer) => {
    expect(listDeliverables(answer, [file('a')])).toEqual([])
    expect(answerText(answer)).toBe('')
  })
})

describe('answerText', () => {
  it('joins the texts of the parts', () => {
    expect(answerText([{ text: 'One.' }, { artifact: {} }, { text: '' }, { text: 'Two.' }])).toBe('One.\n\nTwo.')
  })
})
