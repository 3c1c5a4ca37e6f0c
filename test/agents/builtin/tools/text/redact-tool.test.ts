import { describe, expect, it } from 'vitest'
import { askTextTools } from './ask-text-tools.ts'

const letter = "Dear Anna,\nBob and Anna's brother met Hannah. ANNA was late, Will will call +49 30 1234567.\n"

describe('text.redact', () => {
  it.each([
    [
      'black out the names Anna and Bob',
      "Redacted: “Anna” 3 times, “Bob” once. Other names stay. Dear [REDACTED],\n[REDACTED] and [REDACTED]'s brother met Hannah. [REDACTED] was late, Will will call +49 30 1234567.\n",
    ],
    [
      'Redact "Bob" and all phone numbers please',
      "Redacted: “Bob” once. Replaced 1 telephone number. Other names and postal addresses are not recognised. Dear Anna,\n[REDACTED] and Anna's brother met Hannah. ANNA was late, Will will call [PHONE].\n",
    ],
    ['hide every mention of Will in the letter', /^Redacted: “Will” once\./],
    ['censor the name Zoe', /^Redacted: “Zoe” does not occur\./],
  ])('reads %s', async (text, answer) => {
    const said = (await askTextTools(text, letter)).replace(/^text\.redact: /, '')
    if (typeof answer === 'string') expect(said).toBe(answer)
    else expect(said).toMatch(answer)
  })

  it('reads the text after the words', async () => {
    expect(await askTextTools('Black out the name Anna Miller in this text:\n\nMs Anna Miller and Anna.')).toMatch(
      /Ms \[REDACTED\] and Anna\.$/,
    )
  })

  it.each(['black out all names', 'Redact the names of all customers', 'hide Anna from the guest list and email Bob', 'mask my photo'])(
    'does not take %s',
    async (text) => {
      expect(await askTextTools(text, letter)).toBe('not taken')
    },
  )
})
