import { describe, expect, it } from 'vitest'
import { tableTransformTool } from '../../../../../../agents/builtin/tools/tables/transform-tool.ts'
import { askTool, runTool } from '../../numbers/ask-tool.ts'

const orders =
  'order_id,customer_id,product,qty,price\n1001,C1,Lamp,2,19.90\n1002,C2,Desk,1,249.00\n1003,C1,Chair,4,59.50\n1004,C9,Lamp,1,19.90\n1005,C3,Shelf,3,45.00\n'
const ledger = 'Datum;Kunde;Betrag\n03.01.2026;Meier;1.249,90\n02.02.2026;Huber;\n14.02.2026;Lang;-2.100,50\n15.02.2026;Lang;7\n'
const nested = JSON.stringify({
  shop: 'Nord',
  orders: [
    {
      id: 1,
      items: [
        { sku: 'A1', qty: 2 },
        { sku: 'B2', qty: 1 },
      ],
    },
    { id: 2, items: [{ sku: 'C3', qty: 3 }] },
  ],
})

const file = (text: string) => [{ name: text.startsWith('{') ? 'a.json' : 'a.csv', text, head: text, isWhole: true }]
const write = async (text: string, goal: string) => (await runTool(tableTransformTool, goal, file(text))).outputs[0]?.text
const ask = (text: string, goal: string) => askTool(tableTransformTool, goal, file(text))

describe('a changed table', () => {
  it.each([
    'add a column total which is qty * price and sort by it, highest first',
    'Add a column called total = qty x price, then sort by total descending',
    'add qty*price as a new column called total and sort by the new column from highest to lowest',
    'please add a total column (qty * price) and order by total desc',
  ])('has a computed column: %s', async (goal) => {
    expect(await write(orders, goal)).toBe(
      'order_id,customer_id,product,qty,price,total\r\n1002,C2,Desk,1,249.00,249.00\r\n1003,C1,Chair,4,59.50,238.00\r\n1005,C3,Shelf,3,45.00,135.00\r\n1001,C1,Lamp,2,19.90,39.80\r\n1004,C9,Lamp,1,19.90,19.90\r\n',
    )
  })

  it('has formulas with percentages, and the formula as a name', async () => {
    expect(await write(orders, 'add a column gross = price + 20% and keep only gross')).toBe(
      'gross\r\n23.88\r\n298.80\r\n71.40\r\n23.88\r\n54.00\r\n',
    )
    expect(await write(orders, 'add a column for qty * price')).toMatch(
      /^order_id,customer_id,product,qty,price,qty × price\r\n1001,C1,Lamp,2,19\.90,39\.80/,
    )
  })

  it('has other names, and other columns', async () => {
    expect(await write(orders, 'rename qty to quantity and price to unit_price')).toMatch(
      /^order_id,customer_id,product,quantity,unit_price\r\n/,
    )
    expect(await write(orders, 'Rename the column qty to quantity, then sort by quantity descending')).toMatch(/quantity,price\r\n1003,/)
    expect(await write(orders, 'drop the columns order_id and price')).toMatch(/^customer_id,product,qty\r\n/)
  })

  it('has the rows of a condition', async () => {
    expect(await write(orders, 'keep only rows where product is Lamp')).toBe(
      'order_id,customer_id,product,qty,price\r\n1001,C1,Lamp,2,19.90\r\n1004,C9,Lamp,1,19.90\r\n',
    )
    expect(await ask(orders, 'remove the rows where qty is less than 2')).toMatch(
      /^3 rows and 5 columns as CSV\. 2 rows left out\.\norder_id,/,
    )
    expect(await ask(orders, 'filter by customer_id C1 and export as json')).toBe('2 rows and 5 columns as JSON. 3 rows left out.')
    expect(await ask(ledger, 'remove rows with missing Betrag')).toMatch(/^3 rows and 3 columns as CSV\. 1 row left out\.\n/)
    expect(await write(ledger, 'sort by Datum newest first and keep the first 1 rows')).toMatch(/\r\n15\.02\.2026,Lang,7\r\n$/)
  })

  it.each([
    'convert semicolons to commas and decimal commas to points',
    'Please convert this file to comma separated and use decimal points',
    'change the delimiter from semicolon to comma and use points as decimal separator',
  ])('has another delimiter and decimal mark: %s', async (goal) => {
    expect(await write(ledger, goal)).toBe(
      'Datum,Kunde,Betrag\r\n03.01.2026,Meier,1249.90\r\n02.02.2026,Huber,\r\n14.02.2026,Lang,-2100.50\r\n15.02.2026,Lang,7\r\n',
    )
  })

  it('has semicolons or tabs', async () => {
    expect(await write(orders, 'write it with semicolons as delimiter and decimal commas')).toMatch(
      /^order_id;customer_id;.*\r\n1001;C1;Lamp;2;19,90\r\n/,
    )
    expect(await write(orders, 'save it as tsv')).toMatch(/^order_id\tcustomer_id\t/)
  })

  it.each(['Flatten this JSON into a CSV, one line per item', 'flatten the nested json', 'convert to csv with one row per item'])(
    'is flat: %s',
    async (goal) => {
      expect(await write(nested, goal)).toBe('shop,id,sku,qty\r\nNord,1,A1,2\r\nNord,1,B2,1\r\nNord,2,C3,3\r\n')
    },
  )

  it.each([
    [orders, 'add a column total which is qty * vat', /^asks: I cannot read “qty \* vat” as a formula/],
    [orders, 'add a column qty = price * 2', /^asks: The table already has a column “qty”/],
    [orders, 'keep only rows where product is Lamp or qty is 3', /^asks: I cannot read the condition/],
    [orders, 'rename colour to color', /^asks: The table has no column “colour”/],
    [orders, 'rename qty to price', /^asks: Two columns would have the same name/],
    [nested, 'Flatten to csv with one row per order', /^asks: Nested JSON gets one row for each entry of its innermost list/],
  ])('is asked about where it cannot be made', async (text, goal, answer) => {
    expect(await ask(text, goal)).toMatch(answer)
  })

  it.each([
    'add a column total which is qty * price and email it to me',
    'Delete all orders from Leeds and send me the new file by e-mail',
    'translate the headers to German',
    'add a nice picture',
    'sort by price and tell me which product is best',
    'convert to csv and upload it to my server',
  ])('is not made for %j', async (goal) => {
    expect(await ask(orders, goal)).toBe('not taken')
  })
})
