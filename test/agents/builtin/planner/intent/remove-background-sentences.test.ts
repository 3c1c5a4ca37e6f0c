import { describe, expect, it } from 'vitest'
import { removeBackgroundSentences } from '../../../../../agents/builtin/planner/intent/remove-background-sentences.ts'

describe('removeBackgroundSentences', () => {
  it.each([
    [
      'Our shop kept falling over last night. Attached is the access log. Which path is the worst?',
      'Which path is the worst?',
      ['Our shop kept falling over last night.', 'Attached is the access log.'],
    ],
    ['found this note on our door, what language is it?', 'what language is it?', ['found this note on our door']],
    ['My landlord sent a new lease. What changed?\n\nold\n\nnew', 'What changed?\n\nold\n\nnew', ['My landlord sent a new lease.']],
  ])('“%s”', (text, request, background) => {
    expect(removeBackgroundSentences(text)).toEqual({ request, background })
  })

  it.each([
    ['a limit', 'Some Saturdays a stall did not open so just ignore those. What is the total?'],
    ['a number', 'We bought 3 chairs. What is the total?'],
    ['a definition', 'The last row is the total. Draw a chart.'],
    ['a second request', 'I need the keywords. Which language is it?'],
    ['a quotation', 'My text is “a b c”. Count the words.'],
    ['only a story', 'My landlord sent a new lease.'],
    ['an order', 'It should be in alphabetical order. Which names occur twice?'],
  ])('keeps %s', (_what, text) => {
    expect(removeBackgroundSentences(text)).toEqual({ request: text, background: [] })
  })
})
