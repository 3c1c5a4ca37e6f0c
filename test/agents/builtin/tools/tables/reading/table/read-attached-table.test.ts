import { describe, expect, it } from 'vitest'
import { readAttachedTable } from '../../../../../../../agents/builtin/tools/tables/reading/table/read-attached-table.ts'
import { readHead } from '../../../../../../../agents/builtin/tools/tables/table-ports.ts'

const kindOf = (text: string) => readAttachedTable(text, 'costs.csv').columns.find(({ name }) => name === 'cost')

describe('a column of amounts', () => {
  it('in several currencies holds texts, because they do not add up', () => {
    const text = 'item,cost\nrent,950 €\nhotel,120 USD\ntaxi,30 USD\n'
    expect(kindOf(text)).toMatchObject({ kind: 'text', cells: ['950 €', '120 USD', '30 USD'] })
    expect(readAttachedTable(text, 'costs.csv').notes).toEqual([
      '“cost” has amounts in USD and EUR, which do not add up, so its cells are read as texts.',
    ])
  })

  it.each(['950 €', 'EUR 950', '950 euros', '950'])('in one currency holds numbers, however it is written: %s', (amount) => {
    expect(kindOf(`item,cost\nrent,${amount}\nhotel,120 EUR\ntaxi,30 €\n`)).toMatchObject({ kind: 'number', unit: 'EUR' })
  })
})

describe('readHead', () => {
  it('leaves out the last line of a part of a file, and none of a whole one', () => {
    const file = { name: 't.csv', type: 'table.csv', head: 'item,cost\nrent,950\nhotel,120' }
    expect(readHead(file)?.table.rows).toBe(1)
    expect(readHead({ ...file, isWhole: true })?.table.rows).toBe(2)
  })
})
