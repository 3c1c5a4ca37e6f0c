import { describe, expect, it } from 'vitest'
import { textCompareTool } from '../../../../../agents/builtin/tools/text/compare-tool.ts'
import { askTextTools } from './ask-text-tools.ts'

const before = 'Section 1\nThe tenant pays 900 EUR.\nPets are allowed.\nNotice: 3 months.\n'
const after = 'Section 1\nThe tenant pays 950 EUR.\nPets are not allowed.\nNotice: 3 months.\nKeys: 2.\n'
const byWord = 'text.compare: 1 word removed and 4 added: −900; +950; +not; +Keys: 2.'
const file = (name: string) => ({ name, type: 'document.text' })

describe('text.compare', () => {
  it.each([
    'What changed between the two versions of our contract?',
    'compare both files',
    'whats different in the new version?',
    'Show me the differences between these two documents word by word',
    'Diff 0.txt and 1.txt please',
    'what was added or removed?',
    'are the two files identical?',
  ])('reads %s', async (text) => {
    expect(await askTextTools(text, before, after)).toBe(byWord)
  })

  it('compares by line', async () => {
    expect(await askTextTools('compare the two files line by line', before, after)).toBe(
      'text.compare: 2 lines removed and 3 added:\n−The tenant pays 900 EUR.\n−Pets are allowed.\n+The tenant pays 950 EUR.\n+Pets are not allowed.\n+Keys: 2.',
    )
  })

  it('takes the later version for the second one by the names', () => {
    const read = (one: string, other: string) =>
      textCompareTool.readGoal({ text: 'what changed?', words: 'what changed?', quotations: [], files: [file(one), file(other)] })
    expect(read('contract-new.txt', 'contract-old.txt')).toMatchObject({ query: { is_swapped: true } })
    expect(read('offer v2.txt', 'offer v1.txt')).toMatchObject({ query: { is_swapped: true } })
    expect(read('contract-old.txt', 'contract-new.txt')).toMatchObject({ query: {} })
    expect(read('a.txt', 'b.txt')).toMatchObject({ summary: 'I list what was removed from “a.txt” and what was added in “b.txt”.' })
  })

  it.each([
    'Which of the two contracts is better?',
    'Compare the two contracts and tell me which one I should sign',
    'What changed in our market?',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text, before, after)).toBe('not taken')
  })
})
