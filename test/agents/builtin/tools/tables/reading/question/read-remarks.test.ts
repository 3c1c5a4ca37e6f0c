import { describe, expect, it } from 'vitest'
import { tableChartTool } from '../../../../../../../agents/builtin/tools/tables/chart-tool.ts'
import { tableQuestionTool } from '../../../../../../../agents/builtin/tools/tables/question-tool.ts'
import { askTool } from '../../../numbers/ask-tool.ts'

/** Decimal commas, blanks, and a month that is not asked for. */
const till = `Datum;Stand;Umsatz;Bons
01.03.2025;Riverside;412,50;38
01.03.2025;Old Town;1.204,80;97
08.03.2025;Riverside;;
08.03.2025;Old Town;987,35;80
05.04.2025;Riverside;601,00;50
`
const shop = `order,customer,status,amount,category
1,Ann,paid,20.00,Food
2,Bob,cancelled,99.00,food
3,Ann,Paid,5.50,Travel
4,Cid,refunded,12.00,
5,Bob,paid,7.25,Food
`
const power = `Month,kWh,Cost (EUR)
Jan,300,100
Feb,,
Mar,240,90
Apr,180,70
Total,720,260
`
const sleep = `pupil,hours_slept,reaction_ms
A,5,340
B,6,325
C,n/a,290
D,7,300
E,8,280
F,9,absent
`
const marks = 'name,class,maths\nLea,1a,2\nTom,1a,absent\nIda,1b,1\nBen,1b,4\nMia,1b,\n'
const bank = 'Date,What,Amount\n2025-05-02,Train,27.80\n2025-05-03,Food,10.00\n2025-05-14,Train refund,-27.80\n'
const calls = JSON.stringify({
  run: 'x',
  results: [
    { endpoint: '/a', timing: { ms: 100 } },
    { endpoint: '/a', timing: { ms: 700 } },
    { endpoint: '/b', timing: { ms: null } },
    { endpoint: '/b', timing: { ms: 501 } },
  ],
})

const ask = (name: string, text: string, question: string): Promise<string> =>
  askTool(tableQuestionTool, question, [{ name, text, head: text, isWhole: true }])

describe('remarks beside questions over a table', () => {
  it.each([
    [
      till,
      'hi, this is the export from our till (it is german so it uses commas where we use dots). how much did each stall take in March, and which stall did best? Some days a stall didn’t open so it’s blank, just ignore those.',
      /Old Town 2,192\.15, Riverside 412\.5; .*Highest: Old Town, 2,192\.15 .*March/,
    ],
    [shop, 'total per customer, not counting cancelled orders', /status is not cancelled: Ann 25\.5, Cid 12, Bob 7\.25/],
    [shop, 'Total amount per customer please. Ignore the cancelled ones.', /Ann 25\.5, Cid 12, Bob 7\.25/],
    [shop, 'whats the average amount? Cancelled and refunded orders do not count.', /^≈ 10\.92 /],
    [shop, 'Only count paid orders. How much per customer?', /Ann 25\.5, Bob 7\.25\./],
    [shop, 'amount per category', /Food 126\.25, Travel 5\.5\. 1 row without category: 12\. Read “food” as “Food”\./],
    [power, 'average kWh. The last row is the total, leave it out.', /^240 .*“Total”, is left out/],
    [power, 'what is the avarage kWh per month? need it for a meeting at 3', /^240 /],
    [
      sleep,
      'Is there a correlation between how long they slept and their reaction time, and how many ms per extra hour of sleep?',
      /^-0\.99.*2 rows without both numbers.*-20\.5 reaction_ms for each additional hours_slept/,
    ],
    [
      marks,
      'average maths per class, and how many people have no maths mark? (absent or blank ones do not count in the average)',
      /1b 2\.5, 1a 2; 2 rows without a number\. 2 rows where maths is missing/,
    ],
    [bank, 'total amount in May. Note that the train was refunded.', /^10 .*1 negative amount of “Amount” is included/],
    [bank, 'total amount, ignore the refunds', /^37\.8 /],
    [
      calls,
      'median + max ms per endpoint, and how many calls were over 500ms',
      /\/b 501 \/ 501, \/a 400 \/ 700; 1 row without a number\. 2 rows where timing\.ms > 500/,
    ],
    [shop, 'how many orders per customer (not the cancelled ones) and who has the most?', /Ann 2, Cid 1, Bob 1\. Highest: Ann, 2 /],
    [shop, 'how many orders were over 10 and what do they add up to', /^3 .* 131 /],
    [shop, 'what did each customer spend on food', /Bob 106\.25, Ann 20\./],
    [marks.replaceAll('absent', 'krank'), 'average, median and highest maths per class', /1b 2\.5 \/ 2\.5 \/ 4, 1a 2 \/ 2 \/ 2; 2 rows/],
  ] as const)('%#: %s', async (text, question, answer) => {
    expect(await ask(text.startsWith('{') ? 'bench.json' : 'table.csv', text, question)).toMatch(answer)
  })

  it.each([
    [shop, 'total amount per customer, ignore the purple ones', /^(?:asks|not taken)/],
    [shop, 'total amount. The last row is the total, leave it out.', /^asks: I see no row of totals/],
    [shop, 'total amount per customer. One of them was refunded in cash.', /^asks: The table has no negative amounts/],
    [shop, 'total amount per customer, treat blanks as zero', /^(?:asks|not taken)/],
    [shop, 'average amount (the file uses decimal commas)', /^(?:asks|not taken)/],
    [
      shop,
      'what is the profit margin per customer and which one should i worry about',
      /^asks: No column or cell has the name “profit margin”.*costs/,
    ],
  ] as const)('does not follow what it cannot: %#', async (text, question, answer) => {
    expect(await ask('orders.csv', text, question)).toMatch(answer)
  })

  it('draws a chart and answers the question beside it', async () => {
    const file = [{ name: 'power_2024.csv', text: power, head: power, isWhole: true }]
    expect(
      await askTool(
        tableChartTool,
        'a bar chart of kWh 2024 per month, and the average per month. The last row is the total, it does not go into the chart. In February I forgot to read the meter.',
        file,
      ),
    ).toMatch(/^Bar chart of sum of kWh by Month: Jan 300.*left out.* 240 \(average of kWh over 3 rows/)
    const money = [{ name: 'shop.csv', text: shop, head: shop, isWhole: true }]
    expect(await askTool(tableChartTool, 'where did my money go: total per category and a chart', money)).toMatch(
      /Food 126\.25, Travel 5\.5\. 1 row without category: 12\..*143\.75 /,
    )
  })
})
