import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const [, index = ''] = read('docs/glossary.md').split('\n## Terms that engineers search for\n')
const rows = [...index.matchAll(/^\| ([^|`*-][^|`]*) \| `([^`]+)` \| (.+) \|$/gm)].map(([, term = '', file = '', about = '']) => ({
  term,
  file,
  about,
}))

describe('the index of docs/glossary.md', () => {
  it('has a row for each line of its table, in alphabetical order, each term once', () => {
    const lines = index.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| term |'))
    expect(rows).toHaveLength(lines.length)
    expect(rows.length).toBeGreaterThanOrEqual(40)
    const terms = rows.map(({ term }) => term.toLowerCase())
    expect(terms).toEqual([...new Set(terms)].sort((a, b) => a.localeCompare(b, 'en')))
  })

  it.each(rows)('finds $term in $file', ({ term, file, about }) => {
    expect(existsSync(path.join(root, file)), `${file} exists`).toBe(true)
    const text = read(file)
      .replace(/\s+(?:\* )?/g, ' ')
      .toLowerCase()
    expect(text.includes(term.toLowerCase()), `${file} contains ${term}`).toBe(true)
    const others = [...about.matchAll(/`([a-z]+\/[\w./-]+)`/g)].map(([, other = '']) => other)
    expect(others.filter((other) => !existsSync(path.join(root, other)))).toEqual([])
  })
})
