import { describe, expect, it } from 'vitest'
import { fillMissingYears } from '../../../../../agents/builtin/tools/numbers/fill-missing-years.ts'

describe('fillMissingYears', () => {
  it.each([
    [
      'days between 14 March 2025 and 2 January 2026, and 180 days after 14 March?',
      'days between 14 March 2025 and 2 January 2026, and 180 days after 14 March 2025?',
    ],
    ['March 14, 2025 is the start. What is 10 days after March 14?', 'March 14, 2025 is the start. What is 10 days after March 14 2025?'],
    ['from 1 May 2025 to 1 May 2026, and 1 May', 'from 1 May 2025 to 1 May 2026, and 1 May'],
    ['180 days after 14 March', '180 days after 14 March'],
    ['2 January 2026 and 3 January', '2 January 2026 and 3 January'],
  ])('“%s”', (text, expected) => {
    expect(fillMissingYears(text)).toBe(expected)
  })
})
