import { describe, expect, it } from 'vitest'
import { baselineFault, filterPending, migrationFault } from '../../../server/db/check-migrations.ts'

const applied = (migration_name: string, finished = true, rolled_back = false) => ({ migration_name, finished, rolled_back })

describe('filterPending', () => {
  it('is empty only when every migration has finished', () => {
    expect(filterPending(['1_a', '2_b'], [applied('1_a'), applied('2_b')])).toEqual([])
    expect(filterPending(['1_a', '2_b'], [applied('1_a')])).toEqual(['2_b'])
    expect(filterPending([], [applied('1_a')])).toEqual([])
  })

  it('counts one that was cut off or rolled back as pending', () => {
    expect(filterPending(['1_a'], [applied('1_a', false)])).toEqual(['1_a'])
    expect(filterPending(['1_a'], [applied('1_a', true, true)])).toEqual(['1_a'])
  })

  it('counts one as applied that failed at first and then went through', () => {
    expect(filterPending(['1_a'], [applied('1_a', false, true), applied('1_a')])).toEqual([])
  })
})

describe('migrationFault', () => {
  const names = ['20270101000000_a', '20270102000000_b']
  const all = names.map((name) => applied(name))

  it('finds none where the tables are those of this version, or have got more since', () => {
    expect(migrationFault(names, all)).toBeNull()
    expect(migrationFault(names, [...all, applied('20270103000000_c')])).toBeNull()
  })

  it('names what is lacking and what to do', () => {
    expect(migrationFault(names, [applied('20270101000000_a')])).toMatch(/lacks 20270102000000_b: run `npm run db:deploy`/)
    expect(migrationFault(names, [])).toMatch(/lacks 2 migrations of this version, the first of them 20270101000000_a: run/)
  })

  it('refuses tables that have lost what this version needs, and no others', () => {
    const lost = (since: string) => [...all, applied(`20270104000000_no_more_colours_contract_${since}`)]
    expect(migrationFault(names, lost('20270102000000'))).toBeNull()
    expect(migrationFault(names, lost('20270103000000'))).toMatch(
      /gone beyond this version.*start a version that has the migration of 20270103000000/,
    )
    expect(migrationFault(names, [...all, applied('20270104000000_x_contract_20270103000000', true, true)])).toBeNull()
  })

  it('refuses tables from before the baseline, also where it was applied later', () => {
    const older = applied('20261231000000_older')
    expect(migrationFault(names, [older])).toMatch(
      /migration 20261231000000_older,.* begins with 20270101000000_a\. No automatic upgrade exists/,
    )
    expect(migrationFault(names, [older])).toMatch(/Set DATABASE_URL to an empty database/)
    expect(migrationFault(names, [...all, older])).toMatch(/No automatic upgrade exists/)
  })
})

describe('baselineFault', () => {
  const names = ['20270101000000_baseline', '20270102000000_b']

  it('names the last migration from before the baseline, whether or not it finished', () => {
    const older = [applied('20261230000000_x'), applied('20261231000000_y', false), applied('20261229000000_w')]
    expect(baselineFault(names, older)).toMatch(/has the migration 20261231000000_y/)
  })

  it('finds none in an empty database, nor in one that began with the baseline', () => {
    expect(baselineFault(names, [])).toBeNull()
    expect(baselineFault(names, [applied('20270101000000_baseline', false)])).toBeNull()
    expect(
      baselineFault(
        names,
        [...names, '20270103000000_later'].map((name) => applied(name)),
      ),
    ).toBeNull()
  })
})
