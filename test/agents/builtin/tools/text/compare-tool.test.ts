import { describe, expect, it } from 'vitest'
import { textCompareTool } from '../../../../../agents/builtin/tools/text/compare-tool.ts'
import { askTextTools } from './ask-text-tools.ts'

const before = 'Section 1\nThe tenant pays 900 EUR.\nPets are allowed.\nNotice: 3 months.\n'
const after = 'Section 1\nThe tenant pays 950 EUR.\nPets are not allowed.\nNotice: 3 months.\nKeys: 2.\n'
const byWord = 'text.compare: 1 word removed and 4 added: −900; +950; +not; +Keys: 2.'
const byLine =
  'text.compare: 2 lines changed, 1 line new, 2 the same.\n- Changed: “The tenant pays 900 EUR.” → “The tenant pays 950 EUR.” (“900” became “950”).\n- Changed: “Pets are allowed.” → “Pets are not allowed.” (“not” is new).\n- New: “Keys: 2.”'
const file = (name: string) => ({ name, type: 'document.text' })

describe('text.compare', () => {
  it.each([
    'What changed between the two versions of our contract?',
    'compare both files',
    'whats different in the new version?',
    "My landlord sent a 'same as last year' lease. What did he actually change?? old and new attached",
    'Did anything change? I attached both',
    'which clauses are new and which are gone?',
    'did they sneak anything in??',
    'compare the old and the new contract please, need it for a meeting',
    'Diff 0.txt and 1.txt please',
    'what was added or removed?',
    'are the two files identical?',
  ])('reads %s', async (text) => {
    expect(await askTextTools(text, before, after)).toBe(byLine)
  })

  it('compares by word', async () => {
    expect(await askTextTools('Show me the differences between these two documents word by word', before, after)).toBe(byWord)
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
    'Is the rent still the same in the new lease?',
    'what did they change and is it legal?',
    'show me only what was added',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text, before, after)).toBe('not taken')
  })
})
