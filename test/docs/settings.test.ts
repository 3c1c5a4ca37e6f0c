import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { modelEnvironment } from '../../agents/builtin/model/model-settings.ts'
import { environment } from '../../server/env.ts'

const shape = { ...environment.shape, ...modelEnvironment.shape }
const file = path.join(import.meta.dirname, '../../docs/settings.md')

/** One row for each variable that the server and the built-in agents read. */
function settingsTable(): string {
  const rows = Object.entries(shape).map(([name, type]) => {
    // What a default is before it is read, as it stands in an environment.
    const given = type.safeParse(undefined)
    const value = given.success && given.data !== undefined ? textOf(given.data) : ''
    const fallback = given.success ? (value === '' ? 'unset' : `\`${value}\``) : '**required**'
    return `| \`${name}\` | ${fallback} | ${(type.description ?? '').replaceAll('|', '\\|')} |`
  })
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

describe('docs/settings.md', () => {
  const text = readFileSync(file, 'utf8')
  const table = /\| variable \| default \| meaning \|\n[\s\S]*?(?=\n\n|\n$)/

  it('has the row of every setting as the server reads it (UPDATE_SETTINGS=1 writes them)', () => {
    if (process.env.UPDATE_SETTINGS === '1')
      writeFileSync(
        file,
        text.replace(table, () => settingsTable()),
      )
    expect(table.exec(readFileSync(file, 'utf8'))?.[0]).toBe(settingsTable())
  })

  it('gives every setting a meaning', () => {
    const bare = Object.entries(shape).filter(([, type]) => (type.description ?? '').length < 10)
    expect(bare.map(([name]) => name)).toEqual([])
  })
})
