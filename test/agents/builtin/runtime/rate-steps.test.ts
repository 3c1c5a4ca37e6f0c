import { describe, expect, it } from 'vitest'
import { lookUpCompanyFigures } from '../../../../agents/builtin/data/look-up-company-figures.ts'
import { isReadable, rateStep } from '../../../../agents/builtin/runtime/rate-steps.ts'

const file = { type: 'table.series', size: 10, isReadable: true }

describe('judge', () => {
  it('likes what came whole, at once and in its type', () => {
    expect(rateStep({ artifacts: [file], seconds: 2, earlierTries: 0 })).toEqual({
      value: 100,
      text: 'Table.series was complete and in its type; it came after 2 seconds.',
    })
  })
  it('takes off for waiting, for second tries, and most for what can not be read', () => {
    const value = (more: Partial<Parameters<typeof rateStep>[0]>) =>
      rateStep({ artifacts: [file], seconds: 2, earlierTries: 0, ...more }).value
    expect(value({ seconds: 300 })).toBeLessThan(value({ seconds: 60 }))
    expect(value({ earlierTries: 1 })).toBeLessThan(value({}))
    expect(value({ artifacts: [{ ...file, isReadable: false }] })).toBeLessThan(60)
    expect(value({ artifacts: [] })).toBe(20)
  })
})

describe('isReadable', () => {
  it.each([
    ['table.series', 'application/json', JSON.stringify(lookUpCompanyFigures({ company: 'Apple' })), true],
    ['table.series', 'application/json', '{"rows":[]}', false],
    ['analysis.trend', 'application/json', '{}', false],
    ['anything.else', 'application/json', '{"a":1}', true],
    ['anything.else', 'application/json', '{"a":', false],
    ['chart.svg', 'image/svg+xml', '<svg></svg>', true],
    ['report.markdown', 'text/markdown', '  ', false],
  ])('reads %s of %s: %#', (type, media, text, readable) => {
    expect(isReadable(type, media, text)).toBe(readable)
  })
})
