import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { environment } from '../../server/env.ts'

const root = path.join(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'SECURITY.md'), 'utf8')
const [, section = ''] = page.split('\n## What each key can do at worst\n')
const [table = ''] = section.split('\n## ')
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| key |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map((cells) => ({ cells, key: cells[1] ?? '', tests: testsIn(cells.at(-2) ?? '') }))

/** A test that is named without a folder lies in `test/server/security/`. */
function testsIn(text: string): string[] {
  return [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name = '']) => (name.includes('/') ? name : `test/server/security/${name}`))
}

describe('SECURITY.md', () => {
  it('has a row of five cells for each key, with a test that exists', () => {
    expect(rows.length).toBeGreaterThanOrEqual(17)
    for (const { key, cells, tests } of rows) {
      expect(cells, key).toHaveLength(7)
      expect(tests.length, key).toBeGreaterThan(0)
    }
    expect(rows.flatMap(({ tests }) => tests).filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  it('names a test of every key that has one', () => {
    const named = rows.flatMap(({ tests }) => tests)
    const ofKeys = readdirSync(path.join(root, 'test/server/security')).filter((name) => /-(key|token)\.test\.ts$/.test(name))
    expect(ofKeys.length).toBeGreaterThanOrEqual(7)
    expect(ofKeys.filter((name) => !named.includes(`test/server/security/${name}`))).toEqual([])
  })

  it('has a row for each secret of the environment', () => {
    const named = Object.keys(environment.shape).filter((name) => /_(KEY|TOKEN|SECRET|HEADERS)$|^(DATABASE|NATS|SMTP)_URL$/.test(name))
    const secrets = [...named, 'OPENAI_API_KEY'].map((name) => name.replace(/^(\w+)_PRIVATE_KEY$/, (_, role: string) => role.toLowerCase()))
    expect(secrets.length).toBeGreaterThanOrEqual(12)
    expect(secrets.filter((name) => !rows.some(({ key }) => key.includes(name)))).toEqual([])
  })

  it('names tests that exist outside of the table too', () => {
    expect(testsIn(page).filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })
})
