import { describe, expect, it } from 'vitest'
import { removeFillerWords } from '../../../../../agents/builtin/planner/intent/remove-filler-words.ts'

describe('removeFillerWords', () => {
  it.each([
    ['Line chart please: Jan 1200, Feb 1350', 'Line chart: Jan 1200, Feb 1350'],
    ['Sort alphabetically, please: pear, apple. Thanks!', 'Sort alphabetically: pear, apple. Thanks!'],
    ['Please solve 3x + 7 = 25 - 6x for my homework, thanks', 'solve 3x + 7 = 25 - 6x'],
    ['What is 15% of 240? Thanks a lot!', 'What is 15% of 240?'],
    ['Convert 10 miles to km asap', 'Convert 10 miles to km'],
  ])('leaves out polite words and reasons: %s', (text, plain) => {
    expect(removeFillerWords(text, '')).toBe(plain)
  })

  it('leaves out the announcement of a file that is attached', () => {
    const text = 'Which department had the most sick days? The list is attached.'
    expect(removeFillerWords(text, 'department,sick_days\nSales,3')).toBe('Which department had the most sick days?')
    expect(removeFillerWords(text, '')).toBe(text)
  })

  it.each([
    ['How many times does the word please occur in “please me”?', ''],
    ['Count the words: please help me, thanks', ''],
    ['Remove “please” from “please go”', ''],
    ['What is the total for my class?', 'group,total\nclass,3\nclub,4'],
    ['please', ''],
  ])('keeps what is material or a condition: %s', (text, known) => {
    expect(removeFillerWords(text, known)).toBe(text)
  })
})
