import { describe, expect, it } from 'vitest'
import { readClaims } from './read-claims.ts'

const { page, lines, cited, named, links, missing, unknown, brokenLinks } = readClaims('docs/dawn.md')

describe('docs/dawn.md', () => {
  it('has the 22 lines, each with its code and its test', () => {
    expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1))
    for (const { number, code, tests } of lines) {
      expect(code.length, `code of line ${number}`).toBeGreaterThan(0)
      expect(tests.length, `tests of line ${number}`).toBeGreaterThan(0)
    }
  })

  it('names files that are there, and tests by the name that they have', () => {
    expect(cited.length).toBeGreaterThan(60)
    expect(missing).toEqual([])
    const runs = links.filter((file) => file.startsWith('docs/dawn/'))
    expect(runs.length).toBeGreaterThan(5)
    expect(brokenLinks).toEqual([])
    expect(named.length).toBeGreaterThan(20)
    expect(unknown).toEqual([])
  })

  it('cites the paper, and states which DAWN it is not', () => {
    expect(page).toContain('Cisco DAWN, arXiv 2410.22339')
    expect(page).toContain('Discovery of Agents With Names')
  })
})
