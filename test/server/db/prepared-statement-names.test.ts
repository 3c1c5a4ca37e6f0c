import { describe, expect, it } from 'vitest'
import { createPreparedStatementNames } from '../../../server/db/prepared-statement-names.ts'

describe('createPreparedStatementNames', () => {
  it('names what comes often, always the same, and nothing that comes once or twice', () => {
    const nameOf = createPreparedStatementNames()
    const ask = (sql: string) => nameOf({ sql })
    expect([ask('select 1'), ask('select 1'), ask('select 2')]).toEqual(['', '', ''])
    const name = ask('select 1')
    expect(name).not.toBe('')
    expect([ask('select 1'), ask('select 2')]).toEqual([name, ''])
    expect([ask('select 2'), name]).toHaveLength(new Set([ask('select 2'), name]).size)
  })
  it('names so many statements and no more, because each connection keeps them all', () => {
    const nameOf = createPreparedStatementNames()
    const names = Array.from({ length: 1_000 }, (_, index) => [1, 2, 3].map(() => nameOf({ sql: `select ${index}` })).at(-1))
    const named = names.filter((name) => name !== '')
    expect(named).toHaveLength(300)
    expect(new Set(named).size).toBe(300)
    expect(nameOf({ sql: 'select 0' })).toBe(names[0])
  })
})
