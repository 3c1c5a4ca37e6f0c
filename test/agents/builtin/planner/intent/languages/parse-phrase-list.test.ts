import { describe, expect, it } from 'vitest'
import { parsePhraseList, plainForm } from '../../../../../../agents/builtin/planner/intent/languages/parse-phrase-list.ts'

describe('parsePhraseList', () => {
  it('reads forms without accents and case, and drops a phrase with an empty right side', () => {
    const { phrases, longest } = parsePhraseList('Größe | größen = size\nbitte =\nno phrase')
    expect([...phrases]).toEqual([
      ['grosse', 'size'],
      ['grossen', 'size'],
      ['bitte', ''],
    ])
    expect(longest).toBe(7)
  })

  it('splits Chinese into letters, and other words not', () => {
    const { splitToken } = parsePhraseList('a = b')
    expect([splitToken('价格'), splitToken('prix')]).toEqual([['价', '格'], ['prix']])
    expect(plainForm('Écoute L’été')).toBe("ecoute l'ete")
  })
})
