import { describe, expect, it } from 'vitest'
import { readClaims } from './read-claims.ts'

const { lines, cited, named, missing, unknown, brokenLinks } = readClaims('docs/teams.md')

describe('docs/teams.md', () => {
  it('has its lines in order, each with code and a test', () => {
    expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    for (const { number, code, tests } of lines) {
      expect(code.length, `code of line ${number}`).toBeGreaterThan(0)
      expect(tests.length, `tests of line ${number}`).toBeGreaterThan(0)
    }
  })

  it('names files that are there, and tests by the name that they have', () => {
    expect(cited.length).toBeGreaterThan(60)
    expect(missing).toEqual([])
    expect(named.length).toBeGreaterThan(25)
    expect([...unknown, ...brokenLinks]).toEqual([])
  })
})
