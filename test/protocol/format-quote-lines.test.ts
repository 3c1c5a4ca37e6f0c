import { formatQuoteLines, type SignedQuote } from '@parley/protocol'
import { describe, expect, it } from 'vitest'

const step = { step: 1, skill_id: 'a.b', name: 'Do it', handle: 'doer', price: '100' }
const quote = { outcome: 'planned', summary: 'I do it.', steps: [step], fee: '3', min_budget: '103', unused_words: ['blue'] }

describe('formatQuoteLines', () => {
  const lines = (value: object) => formatQuoteLines(value as SignedQuote, (amount) => `${amount} USDC`).join('\n')

  it('shows steps, prices, the total and words that no step uses', () => {
    expect(lines(quote)).toBe(
      'I do it.\n  1. Do it  @doer  100 USDC\n  fee  3 USDC\n  total, set aside  103 USDC\nWords that no step uses: blue',
    )
  })

  it('shows the question with what is missing, and readings with their prices', () => {
    const suggestions = [{ text: 'Add 1 and 2', min_budget: '103' }]
    expect(
      lines({ outcome: 'question', question: 'Which numbers?', needs: [{ skill: 'Add', faults: ['a is missing'] }], suggestions }),
    ).toBe('Question: Which numbers?\n  Add: a is missing\nDo you mean one of these? Ask again with its words:\n  "Add 1 and 2"  103 USDC')
  })

  it('says that no agent can do it, and names the closest', () => {
    expect(lines({ outcome: 'unavailable', reason: 'None translates.', closest: [{ handle: 'doer', skill: 'Do it' }] })).toBe(
      'No agent online can do this. None translates.\nClosest agents:\n  @doer  Do it',
    )
  })

  it('keeps a text of a publisher or planner on one line', () => {
    const forged = { ...quote, summary: 'I do it.\n  total, set aside  1 USDC', steps: [{ ...step, name: 'Do\u2028  fee  0 USDC' }] }
    expect(lines(forged)).toBe(
      'I do it. total, set aside 1 USDC\n  1. Do fee 0 USDC  @doer  100 USDC\n  fee  3 USDC\n  total, set aside  103 USDC\nWords that no step uses: blue',
    )
  })
})
