import { describe, expect, it } from 'vitest'
import { tableChartTool } from '../../../../../agents/builtin/tools/tables/chart-tool.ts'
import { askTool, runTool, toolGoal } from '../numbers/ask-tool.ts'

const orders =
  'order_id,customer_id,product,qty,price\n1001,C1,Lamp,2,19.90\n1002,C2,Desk,1,249.00\n1003,C1,Chair,4,59.50\n1004,C9,Lamp,1,19.90\n1005,C3,Shelf,3,45.00\n'
const ledger =
  'Datum;Kunde;Betrag;Kategorie\n03.01.2026;Meier;1.249,90;Beratung\n17.01.2026;Huber;899,00;Software\n02.02.2026;Meier;;Beratung\n14.02.2026;Lang;2.100,50;Hardware\n'
const sensor = 'time,temp\n08:00,20.1\n09:00,20.4\n10:00,85.0\n'
const years = 'Year,Revenue,Costs\n2019,100,80\n2020,120,90\n2021,150,100\n'
const change = 'name,change\n<b>A</b> & "co",-4\nB,6\nC,0\n'

const file = (text: string) => [{ name: 'a.csv', text, head: text, isWhole: true }]
const ask = (text: string) => (goal: string) => askTool(tableChartTool, goal, file(text))

describe('table.chart', () => {
  it.each([
    [
      'draw a bar chart of revenue by product',
      /^Bar chart of sum of revenue \(qty × price\) by product: Desk 249, Chair 238, Shelf 135, Lamp 59\.7\./,
    ],
    ['Can you plot revenue by product as a bar chart?', /^Bar chart .*Desk 249/],
    ['plot qty by product', /^Bar chart of sum of qty by product: Chair 4, Lamp 3, Shelf 3, Desk 1\.$/],
    ['I need a graph showing the qty by customer, thanks', /^Bar chart of sum of qty by customer_id: C1 6/],
    ['Pie chart of qty per customer please', /^Pie chart of sum of qty by customer_id: C1 6, C3 3, C2 1, C9 1\.$/],
    ['bar chart of the top 2 products by revenue', /: Desk 249, Chair 238\. /],
    ['bar graph: qty and price by product', /^Bar chart of sum of qty and average of price by product/],
    ['bar chart of qty by product excluding Lamp', /where product is not Lamp: Chair 4, Shelf 3, Desk 1\.$/],
    ['pie chart of products', /^Pie chart of number of rows by product: Lamp 2, Desk 1, Chair 1, Shelf 1\.$/],
  ])('takes %j', async (goal, answer) => {
    expect(await ask(orders)(goal)).toMatch(answer)
  })

  it('draws shares, months, and points in the order of the table', async () => {
    expect(await ask(ledger)('make me a pie chart of the share of each category')).toMatch(
      /^Pie chart of sum of Betrag by Kategorie: Hardware 2,100\.5, Beratung 1,249\.9, Software 899\. 1 row has no number in “Betrag”\./,
    )
    expect(await ask(ledger)('line chart of revenue per month')).toMatch(/January 2026 2,148\.9, February 2026 2,100\.5/)
    expect(await ask(sensor)('Turn the temp over time into a line chart')).toMatch(/08:00 20\.1, 09:00 20\.4, 10:00 85\.$/)
    expect(await ask(sensor)('line chart of temp over time')).toMatch(/08:00 20\.1, 09:00 20\.4, 10:00 85\.$/)
  })

  it('writes a picture with title, labels and values, whose text is escaped', async () => {
    const { outputs } = await runTool(tableChartTool, 'bar chart of change by name', file(change))
    const svg = outputs[0]?.text ?? ''
    expect(outputs[0]).toMatchObject({ name: 'chart.svg', media_type: 'image/svg+xml', artifact_type: 'table.chart' })
    expect(svg).toMatch(/^<svg [^>]*role="img"[^>]*>\n<title id="chart-title">(?:Sum|Average) of change by name<\/title>/)
    expect(svg).toContain('&lt;b&gt;A&lt;/b&gt; &amp; &quot;co&quot;')
    expect(svg).not.toContain('<b>')
    expect(svg).toContain('>-4</text>')
    expect(svg).not.toMatch(/NaN|Infinity|<script|href/)
    expect(svg.match(/<rect /g)).toHaveLength(3)
  })

  it('draws many slices as others, and no slice of a negative number', async () => {
    const many = `name,n\n${Array.from({ length: 12 }, (_, index) => `item${index},${index + 1}`).join('\n')}\n`
    expect(await ask(many)('pie chart of n by name')).toMatch(/item11 12, .*5 others 15\.$/)
    expect(await ask(change)('pie chart of change by name')).toMatch(/^refused: A pie chart has no slices for negative numbers/)
  })

  it('asks for a name that the table lacks, and for one chart at a time', async () => {
    expect(await ask(orders)('bar chart of profit by product')).toMatch(/^asks: No column or cell has the name “profit”/)
    expect(await ask(orders)('bar chart of qty by product and a pie chart of qty by customer')).toMatch(/^asks: I draw one chart/)
    expect(await ask(orders)('bar chart of qty by product and tell me which product is best')).toMatch(/Highest: Chair, 4 /)
  })

  it.each([
    'Please draw a chart of the attached table',
    'Draw a line chart of the trend with a report',
    'Draw a text chart of the revenue by year',
    'Plot the revenue as SVG and write an analysis',
    'bar chart of revenue by year as png',
    'total revenue by year',
    'Draw a picture of a cat',
  ])('leaves %j to others', async (goal) => {
    expect(await ask(years)(goal)).toBe('not taken')
  })

  it('precedes other readings of a chart', () => {
    const reading = tableChartTool.readGoal(toolGoal('bar chart of revenue by year', file(years)))
    expect(reading?.confidence).toBeGreaterThan(0.85)
  })
})
