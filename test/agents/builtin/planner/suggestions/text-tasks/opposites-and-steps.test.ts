import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

const text = 'Ida: ida@shop.example or 020 7946 0011. Rolf: rolf@shop.example. Again ida@shop.example, and office@shop.example.'
const file = ['notes.txt', text] as const
const list = ['list.txt', ' pears\n\nApples\nplums\n\napples\n'] as const

describe('the opposite of a operation', () => {
  it.each([
    'the tenant must not see any email or telephone number in this, everything else stays',
    'Die Gegenseite darf keine Mailadressen und Telefonnummern sehen, sonst alles lassen',
    'Il ne faut pas que ça se voie: personne ne doit voir les adresses mail ni les numéros de téléphone',
  ])('is never offered where something is to be hidden: %s', (goal) => {
    const texts = suggestedTexts(goal, file)
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((one) => /^(?:List|Liste|Extrais)/.test(one))).toEqual([])
  })

  it('is never offered where the addresses themselves are wanted', () => {
    const texts = suggestedTexts('Can I just have the mail addresses out of it, one under the other, nobody twice', file)
    expect(texts[0]).toBe('List all e-mail addresses in the text, each once')
    expect(texts.filter((one) => one.startsWith('Redact'))).toEqual([])
  })
})

describe('addresses that are left out', () => {
  it.each([
    [
      'for the newsletter: all the email addresses people gave us, each one once please, leave out the office@ one',
      'List all e-mail addresses in the text, each once, without office@',
    ],
    [
      'alle Mailadressen bitte, jede nur einmal, ohne rolf@shop.example',
      'List all e-mail addresses in the text, each once, without rolf@shop.example',
    ],
  ])('%s', (goal, sentence) => expect(suggestedTexts(goal, file)[0]).toBe(sentence))
})

describe('several changes of lines', () => {
  it.each([
    [
      'three of us wrote this, please no doubles, blank lines out, a to z and number them',
      'Trim the lines, remove duplicate lines, remove empty lines, sort alphabetically and number the lines',
    ],
    ['名单去掉重复和空行，保持顺序，加编号', 'Trim the lines, remove duplicate lines, remove empty lines and number the lines'],
  ])('%s', (goal, sentence) => expect(suggestedTexts(goal, list)[0]).toBe(sentence))
})
