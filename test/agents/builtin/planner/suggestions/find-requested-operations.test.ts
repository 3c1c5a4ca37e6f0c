import { describe, expect, it } from 'vitest'
import {
  findRequestedOperations,
  type RequestedOperation,
} from '../../../../../agents/builtin/planner/suggestions/find-requested-operations.ts'
import { foldCaseAndAccents, plainPattern } from '../../../../../agents/builtin/planner/suggestions/fold-case-and-accents.ts'

const wishesOf = (text: string): RequestedOperation[] => [...findRequestedOperations(text).keys()]

describe('findRequestedOperations', () => {
  it.each([
    ['add these up and tell me who spent the most', ['total', 'maximum']],
    ['Beträge zusammenzählen, und wo am meisten', ['total', 'maximum']],
    ['quiero la correlación y cuántos más por cada grado', ['correlation', 'slope', 'count']],
    ['la moyenne par élève', ['average']],
    ['请算一下平均分，从高到低排序', ['average', 'order']],
    ['lots of doubles, alphabetical please', ['duplicates', 'alphabet']],
  ])('%s', (text, operations) => {
    expect(wishesOf(text)).toEqual(expect.arrayContaining(operations))
  })

  it('does not take a verb for an average', () => {
    expect(wishesOf('N means night, and I mean the others')).not.toContain('average')
  })
})

describe('plain text', () => {
  it('has no capitals and accents, and keeps Chinese', () => {
    expect(foldCaseAndAccents('Élodie Œuvre 平均')).toBe('elodie oeuvre 平均')
  })

  it('finds whole words only, but Chinese anywhere', () => {
    const pattern = plainPattern('somme|平均')
    expect('la sommes, la somme et 每个平均值'.match(pattern)).toEqual(['somme', '平均'])
  })
})
