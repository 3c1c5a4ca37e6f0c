import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/dawn.md'), 'utf8')
const rows = page.split('\n').flatMap((line) => (/^\| \d+ \|/.test(line) ? [line.split('|').map((cell) => cell.trim())] : []))
const filesIn = (cell: string) => [...cell.matchAll(/`((?:server|protocol|agents|test|app)\/[^`]+)`/g)].map(([, file = '']) => file)

describe('docs/dawn.md', () => {
  it('has the 22 lines, each with its code and its test', () => {
    expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 22 }, (_, index) => index + 1))
    for (const [, number, , code = '', test = ''] of rows) {
      expect(filesIn(code).length, `code of line ${number}`).toBeGreaterThan(0)
      expect(filesIn(test).length, `tests of line ${number}`).toBeGreaterThan(0)
    }
  })

  it('names files that are there, and tests by the name that they have', () => {
    const cited = filesIn(page)
    expect(cited.length).toBeGreaterThan(60)
    expect(cited.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    const runs = [...page.matchAll(/\]\((dawn\/[^)]+)\)/g)].map(([, file = '']) => `docs/${file}`)
    expect(runs.length).toBeGreaterThan(5)
    expect(runs.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    // A test's name stands behind its file: "…" as in the code.
    const named = [...page.matchAll(/`(test\/[^`]+\.test\.ts)`((?: "[^"]+")+)/g)].flatMap(([, file = '', names = '']) =>
      [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ file, name })),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(({ file, name }) => !readFileSync(path.join(root, file), 'utf8').includes(name))).toEqual([])
  })

  it('cites the paper, and says which DAWN it is not', () => {
    expect(page).toContain('Cisco DAWN, arXiv 2410.22339')
    expect(page).toContain('Discovery of Agents With Names')
  })
})
