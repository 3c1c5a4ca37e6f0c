import type { ListingDraft } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { findTextFirstPublishedAt } from '../../../../server/registry/listings/find-text-first-published-at.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const textOf = (summary: string): Pick<ListingDraft, 'summary' | 'skills'> => ({ summary, skills: [] })
const survey = textOf('Surveys glaciers by drone, measures the retreat of their ice and reports the loss of mass for each year.')
const corrected = textOf('Surveys glaciers by drone, measures the retreat of the ice, and reports the loss of mass for every year.')
const other = textOf('Draws logos for bakeries in soft colours, with three proposals and a palette.')

describe('findTextFirstPublishedAt', () => {
  it('keeps the age of a corrected text', () => {
    expect(findTextFirstPublishedAt(corrected, [{ text: survey, at: day(1) }], day(9))).toEqual(day(1))
  })

  it('gives a text that took the place of another the age of the change', () => {
    expect(findTextFirstPublishedAt(survey, [{ text: other, at: day(1) }], day(9))).toEqual(day(9))
    const earlier = [corrected, other, survey].map((text, index) => ({ text, at: day(7 - index) }))
    expect(findTextFirstPublishedAt(survey, earlier, day(9))).toEqual(day(7))
  })

  it('compares each version with the newest text, so that small steps do not keep the age', () => {
    const words = (from: number) => textOf(Array.from({ length: 20 }, (_, n) => `term${from + n}`).join(' '))
    const steps = [12, 8, 4, 0].map((from, index) => ({ text: words(from), at: day(5 - index) }))
    expect(findTextFirstPublishedAt(words(16), steps, day(9))).toEqual(day(5))
  })
})
