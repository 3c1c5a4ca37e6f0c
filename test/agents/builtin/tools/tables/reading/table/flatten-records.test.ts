import { describe, expect, it } from 'vitest'
import { tableChartTool } from '../../../../../../../agents/builtin/tools/tables/chart-tool.ts'
import { tableQuestionTool } from '../../../../../../../agents/builtin/tools/tables/question-tool.ts'
import {
  readAttachedTable,
  readAttachedTables,
} from '../../../../../../../agents/builtin/tools/tables/reading/table/read-attached-table.ts'
import { askTool } from '../../../numbers/ask-tool.ts'

const shop = {
  shop: 'Nord',
  orders: [
    {
      id: 1,
      date: '2026-01-05',
      shipping: 5,
      customer: { name: 'Ana', city: 'Oslo' },
      items: [
        { sku: 'A1', qty: 2, price: 10.5 },
        { sku: 'B2', qty: 1, price: 99 },
      ],
    },
    {
      id: 2,
      date: '2026-02-07',
      shipping: 7,
      customer: { name: 'Ben', city: 'Rome' },
      items: [
        { sku: 'A1', qty: 5, price: 10.5 },
        { sku: 'C3', qty: 3, price: 20 },
      ],
    },
    { id: 3, date: '2026-02-09', shipping: 0, customer: { name: 'Cy', city: 'Oslo' }, items: [] },
  ],
}
const text = JSON.stringify(shop)
const ask = (question: string) => askTool(tableQuestionTool, question, [{ name: 'shop.json', text, head: text, isWhole: true }])

describe('nested JSON', () => {
  it('is the table of its deepest list, with the fields of the records above', () => {
    const table = readAttachedTable(text, 'shop.json')
    expect(table.columns.map(({ name }) => name)).toEqual([
      'shop',
      'id',
      'date',
      'shipping',
      'customer.name',
      'customer.city',
      'sku',
      'qty',
      'price',
    ])
    expect(table.columns.map(({ cells }) => cells[2])).toEqual(['Nord', '2', '2026-02-07', '7', 'Ben', 'Rome', 'A1', '5', '10.5'])
    expect(table.notes).toContain('1 record has an empty list “items” and no row.')
  })

  it('has dotted names where a name stands twice', () => {
    const twice = JSON.stringify([{ id: 1, lines: [{ id: 7, n: 2 }] }])
    expect(readAttachedTable(twice, 'bills.json').columns.map(({ name }) => name)).toEqual(['bills.id', 'id', 'n'])
  })

  it('has one table for each list in questions, outer ones first', () => {
    expect(readAttachedTables(text, 'shop.json').map(({ rows }) => rows)).toEqual([3, 4])
  })

  it.each([
    ['What are the top 3 items by revenue (price x qty)?', /^Highest 3: B2 99, A1 73\.5, C3 60 /],
    ['How many orders are there?', /^3 /],
    ['total shipping', /^12 /],
    ['total qty per sku', /A1 7, C3 3, B2 1/],
    ['total revenue per order', /by orders\.id: 1 120, 2 112\.5/],
    ['revenue by customer', /Ana 120, Ben 112\.5/],
    ['total qty in February', /^8 /],
  ])('answers %s', async (question, answer) => {
    expect(await ask(question)).toMatch(answer)
  })

  it('never sums a number of an order once per item', async () => {
    expect(await ask('total shipping per sku')).toMatch(/^asks: |^not taken/)
  })

  it('is drawn', async () => {
    expect(await askTool(tableChartTool, 'bar chart of revenue by sku', [{ name: 'shop.json', text, head: text, isWhole: true }])).toMatch(
      /B2 99, A1 73\.5, C3 60/,
    )
  })

  it('is read from the beginning of a long file', async () => {
    const orders = Array.from({ length: 2_000 }, (_, id) => ({ id, items: [{ sku: `S${id % 3}`, qty: 1 + (id % 2) }] }))
    const long = JSON.stringify({ orders })
    const answer = await askTool(tableQuestionTool, 'total qty per sku', [{ name: 'a.json', text: long, head: long.slice(0, 16_384) }])
    expect(answer).toBe('Sum of qty by sku: S1 1,001, S0 1,000, S2 999.')
  })
})
