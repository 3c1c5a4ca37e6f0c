import { describe, expect, it } from 'vitest'
import { goalTitle } from '../../../app/_views/goal-title.ts'

describe('goalTitle', () => {
  it('leaves out tables, code and marks', () => {
    expect(
      goalTitle(
        '# Trend\n\nDraw **this** table:\n\n| year | sales |\n| --- | ---: |\n| 2014 | 3 |\n\n```\nx = 1\n```\n- and `report` [it](https://a.example)',
      ),
    ).toBe('Trend Draw this table: and report it')
  })

  it('keeps plain words, figures and signs as they are', () => {
    expect(goalTitle('Compare 2014_2015 * 3 of A|B, in 5 - 7 lines.')).toBe('Compare 2014_2015 * 3 of A|B, in 5 - 7 lines.')
  })

  it('shows a text of nothing but a table as it is', () => {
    expect(goalTitle('| a | b |')).toBe('| a | b |')
  })

  it('leaves out the rows of a pasted table, and no sentence', () => {
    expect(goalTitle('Which month was best?\nMonth;Sales\nJan;12,5\nFeb;9,8')).toBe('Which month was best?')
    expect(goalTitle('Sort by points:\nname,points\nAnn,3\nBob,5')).toBe('Sort by points:')
    expect(goalTitle('Buy milk, eggs\nand bread, please')).toBe('Buy milk, eggs and bread, please')
    expect(goalTitle('First do this, then that.\nThen rest, please.\nAt last, end.')).toBe(
      'First do this, then that. Then rest, please. At last, end.',
    )
    expect(goalTitle('a;b\n1;2')).toBe('a;b\n1;2')
  })

  it('takes linear time for a long run of blanks', () => {
    const before = process.threadCpuUsage()
    expect(goalTitle(`Write.\n${'\t'.repeat(40_000)}a`)).toBe('Write. a')
    // A quadratic pattern takes more than a second.
    expect(process.threadCpuUsage(before).user).toBeLessThan(300_000)
  })
})
