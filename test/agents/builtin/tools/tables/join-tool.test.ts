import { describe, expect, it } from 'vitest'
import { tableJoinTool } from '../../../../../agents/builtin/tools/tables/join-tool.ts'
import { tableQuestionTool } from '../../../../../agents/builtin/tools/tables/question-tool.ts'
import { askTool, runTool } from '../numbers/ask-tool.ts'

const table = (name: string, text: string) => ({ name, text, head: text, isWhole: true })
const orders = table(
  'orders.csv',
  'order_id,customer_id,product,qty,price\n1001,C1,Lamp,2,19.90\n1002,C2,Desk,1,249.00\n1003,C1,Chair,4,59.50\n1004,C9,Lamp,1,19.90\n1005,C3,Shelf,3,45.00\n',
)
const customers = table('customers.csv', 'id,name,city\nC1,Ana Ruiz,Madrid\nC2,Jon Berg,Oslo\nC3,Li Wei,Berlin\nC4,Tom Hale,Leeds\n')
const colours = table('colours.csv', 'colour,hex\nred,#f00\nblue,#00f\n')
const ask = (goal: string, files = [orders, customers]) => askTool(tableJoinTool, goal, files)

const joined =
  'order_id,customer_id,product,qty,price,name,city\r\n1001,C1,Lamp,2,19.90,Ana Ruiz,Madrid\r\n1002,C2,Desk,1,249.00,Jon Berg,Oslo\r\n1003,C1,Chair,4,59.50,Ana Ruiz,Madrid\r\n1004,C9,Lamp,1,19.90,,\r\n1005,C3,Shelf,3,45.00,Li Wei,Berlin\r\n'

describe('table.join', () => {
  it.each([
    'Join both files on the customer id so that I see the customer name next to each order. Also list orders with no matching customer.',
    'merge the two csvs',
    'please combine both tables by customer_id',
    'join orders.csv and customers.csv on customer_id = id',
    'Merge the two files and tell me which orders have no matching customer',
  ])('takes %j', async (goal) => {
    const { outputs, text } = await runTool(tableJoinTool, goal, [orders, customers])
    expect(outputs[0]).toMatchObject({ name: 'joined.csv', artifact_type: 'table.joined', text: joined })
    expect(text).toBe(
      '5 rows of orders.csv joined with customers.csv on customer_id = id. 1 row without a match: 1004 (C9). Not used of customers.csv: Tom Hale (C4).',
    )
  })

  it('takes the files in either order', async () => {
    const { outputs } = await runTool(tableJoinTool, 'merge the two csvs', [customers, orders])
    expect(outputs[0]?.text).toBe(joined)
  })

  it.each([
    'join both files and give me the total revenue per city',
    'Join both tables on the customer id, then calculate the revenue (qty * price) per city',
    'total revenue per city',
  ])('totals the joined rows: %s', async (goal) => {
    expect(await ask(goal)).toMatch(
      /^Sum of revenue \(qty × price\) by city: Madrid 277\.8, Oslo 249, Berlin 135.*5 rows of orders\.csv joined/,
    )
  })

  it('leaves out rows without a match in an inner join', async () => {
    expect(await ask('inner join both files on customer_id')).toMatch(
      /^4 rows of orders\.csv .* 1 row without a match, left out: 1004 \(C9\)\./,
    )
  })

  it.each([
    ['which customers have no orders?', /Not used of customers\.csv: Tom Hale \(C4\)/],
    ['which orders have no customer', /1 row without a match: 1004 \(C9\)/],
    ['I need the customer name next to each order.', /^5 rows of orders\.csv joined/],
    ['How many orders per city? Both files are attached.', /Madrid 2, Oslo 1, Berlin 1/],
    [
      'total revenue per customer name, highest first',
      /^Sum of revenue \(qty × price\) by name: Ana Ruiz 277\.8, Jon Berg 249, Li Wei 135/,
    ],
  ])('is made for %j', async (goal, answer) => {
    expect(await ask(goal)).toMatch(answer)
    expect(await askTool(tableQuestionTool, goal, [orders, customers])).toMatch(/^not taken|^asks: /)
  })

  it('asks where no columns match, or a name is unknown', async () => {
    expect(await ask('join both files', [orders, colours])).toMatch(/^asks: No two columns of the tables match/)
    expect(await ask('join both files and give me the total profit per city')).toMatch(/^asks: No column or cell has the name “profit”/)
  })

  it.each([
    'full outer join of both files',
    'append both files',
    'Join both files and e-mail the result to Ana',
    'join both files and write a report',
    'combine the two files into a presentation',
    'Join me for dinner',
    'total qty per product',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })
})

describe('a question over several tables', () => {
  it('is answered over the only one that has what it names', async () => {
    expect(await askTool(tableQuestionTool, 'total qty per product', [customers, orders])).toMatch(/^Sum of qty by product: Chair 4/)
    expect(await askTool(tableQuestionTool, 'which customers live in Oslo?', [orders, customers])).toMatch(/Jon Berg/)
  })

  it('is asked about where several have it', async () => {
    const other = table('orders-2025.csv', orders.text)
    expect(await askTool(tableQuestionTool, 'total qty per product', [orders, other])).toMatch(
      /^asks: Several tables can answer this: orders\.csv and/,
    )
  })
})
