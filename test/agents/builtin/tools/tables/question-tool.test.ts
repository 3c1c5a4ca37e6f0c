import { describe, expect, it } from 'vitest'
import { tableQuestionTool } from '../../../../../agents/builtin/tools/tables/question-tool.ts'
import { askTool } from '../numbers/ask-tool.ts'

/** Orders as a shop exports them. */
const orders = `Order ID,Date,Region,Product,Units,Unit price,Revenue
1001,2024-01-05,North,Tea,12,4.50,54.00
1002,2024-01-09,South,Coffee,7,9.00,63.00
1003,2024-01-20,North,Coffee,3,9.00,27.00
1004,2024-02-02,East,Tea,20,4.50,90.00
1005,2024-02-11,South,Tea,5,4.50,22.50
1006,2024-02-27,East,Cocoa,8,6.25,50.00
1007,2024-03-03,North,Cocoa,10,6.25,62.50
1008,2024-03-15,West,Coffee,11,9.00,99.00
1009,2024-03-28,West,Tea,2,4.50,9.00
`
/** A byte order mark, semicolons, decimal commas, and a missing cell. */
const staff = `\uFEFFName;Abteilung;Gehalt;Eintritt
Müller;IT;"52.300,50";01.03.2015
Schmidt;HR;"41.000,00";15.07.2019
Meier;IT;"61.250,25";01.01.2012
Kurz;Vertrieb;;01.10.2021
Lang;Vertrieb;"38.900,00";20.05.2020
`
const users = JSON.stringify([
  { id: 1, country: 'DE', signed_up: '2023-05-01', plan: 'free', logins: 3 },
  { id: 2, country: 'FR', signed_up: '2023-06-11', plan: 'pro', logins: 44 },
  { id: 3, country: 'DE', signed_up: '2023-06-30', plan: 'pro', logins: 17 },
  { id: 4, country: 'US', signed_up: '2024-01-15', plan: 'free', logins: 0 },
  { id: 5, country: 'US', signed_up: '2024-02-01', plan: 'pro', logins: 120 },
])
const months = 'month,signups,churned\nJan,120,30\nFeb,150,45\nMar,180,60\nApr,160,80\nMay,210,50\nJun,310,105\n'
/** Currency signs, thousands separators, quoted commas, CRLF, and a cell with a line break. */
const houses =
  'Address,City,"Price, USD",Bedrooms,Sold\r\n"12 High St, Flat 2",Leeds,"$250,000",2,yes\r\n"4 Low Rd",York,"$410,500",4,no\r\n"9 Mill\nLane",Leeds,"$199,950",1,yes\r\n"77 Park Ave",York,"$325,000",3,yes\r\n'

/** Short cells, a column of yes and no, a heading with a slash, and a meter. */
const rota = 'day,nurse,shift,paid?,mark /20\n1,Ida,N,yes,14\n2,Ida,D,no,11\n3,Rolf,N,y,17\n4,Ida,N,Yes,9\n'
const meter = 'read on,meter kWh\n2025-01-31,4100\n2025-02-28,4350\n2025-03-31,4720\n'

/** Numbers of orders, two columns of dates, and answers with blanks. */
const deliveries =
  'pedido;promised;arrived\n500;26/01/2026;31/01/2026\n501;03/02/2026;04/02/2026\n502;18/02/2026;01/03/2026\n503;20/02/2026;19/02/2026\n'
const survey = 'person,age,q3\nA,47,yes\nB,60,\nC,39,yes\nD,68,no\nE,24,no\n'

const ask = (name: string, text: string) => (question: string) =>
  askTool(tableQuestionTool, question, [{ name, text, head: text, isWhole: true }])

const tables: readonly (readonly [string, string, readonly (readonly [question: string, answer: string | RegExp])[]])[] = [
  [
    'rota.csv',
    rota,
    [
      ['How many rows are there per nurse where shift is N?', 'Number of rows by nurse where shift is N: Ida 2, Rolf 1.'],
      ['How many rows are there where shift is not N?', /^1 row where shift is not N/],
      ['How many rows are there where paid is yes or y?', /^3 rows where paid\? is yes or y/],
      ['What is the average mark /20?', /^12\.75 \(average of mark \/20 over 4 rows\)/],
      // What stands behind “where” is never left out.
      ['How many rows are there where the shift was quiet?', /^asks: /],
    ],
  ],
  [
    'deliveries.csv',
    deliveries,
    [
      ['How many pedido are there per month of promised?', 'Number of rows by Month of promised: January 2026 1, February 2026 3.'],
      ['How many rows per month of arrived?', 'Number of rows by Month of arrived: January 2026 1, February 2026 2, March 2026 1.'],
      ['In which month of promised were most pedido?', /^Highest: February 2026, 3 \(number of rows\)/],
      // A column that the answer would leave out is asked about.
      ['How many pedido has arrived more than promised per month of promised?', /^asks: I cannot use “arrived”/],
    ],
  ],
  [
    'units.csv',
    'product,region,units\nA,North,4\nB,South,5\nC,North,6\n',
    [
      // Consecutive quantities are no numbers of records.
      ['How many units were sold in total?', /^15 \(/],
      ['Which product has the most units?', /^Highest: C, 6/],
      ['How many units per region?', 'Sum of units by region: North 10, South 5.'],
    ],
  ],
  [
    'survey.csv',
    survey,
    [
      ['What share of rows where age is more than 40 has q3 = yes?', /^33\.3% \(number of rows: 1 of 3 where/],
      ['What share of rows where q3 is yes have age more than 40?', /^50% \(number of rows: 1 of 2 where/],
      ['What percentage of rows has q3 = yes?', /^40% \(number of rows: 2 of 5 where q3 is yes/],
      // A negation that no condition reads would turn the share around.
      ['What share of rows did not have q3 = yes?', /^(?:asks: |not taken)/],
      ['What share of rows where age is more than 40 did not have q3 = yes?', /^(?:asks: |not taken)/],
      ['What share of rows where age is more than 40 is from rows where q3 is yes?', /^(?:asks: |not taken)/],
    ],
  ],
  [
    'meter.csv',
    meter,
    [
      [
        'What is the change of meter kWh per read on?',
        'Change of meter kWh from the one before by read on: 2025-02-28 250, 2025-03-31 370.',
      ],
      ['Which read on had the highest change of meter kWh?', /^Highest: 2025-03-31, 370/],
    ],
  ],
  [
    'orders.csv',
    orders,
    [
      ['What is the total revenue?', /^477 /],
      ['total rvenue', /^477 .*read as the column “Revenue”/],
      ['Which region had the highest revenue?', /^Highest: North, 143\.5 /],
      ['total revenue by region', 'Sum of Revenue by Region: North 143.5, East 140, West 108, South 85.5.'],
      ['How many orders were there in February?', /^3 /],
      ["What's the average unit price of Tea?", /^4\.5 /],
      ['Which product sold the most units?', /^Highest: Tea, 39 /],
      ['How many units of Coffee were sold in the North?', /^3 /],
      ['What share of revenue comes from Tea?', /^36\.8% /],
      ['top 3 orders by revenue', /1008 99, 1004 90, 1002 63/],
      ['Which month was best?', /^Highest: March 2024, 170\.5 /],
      ['How much did we earn in March 2024?', /^170\.5 /],
      ['How many different products are there?', /^3 /],
      ['Compare revenue of North and South', /^58 more for North than for South/],
      ['How many orders have more than 10 units?', /^3 /],
      ['Is there a correlation between units and revenue?', /^0\.82: strong positive/],
      ['Median units', /^8 /],
      ['Total units for Tea and Cocoa', /^57 /],
      ['What is the total revenue without Coffee?', /^288 /],
      ["What's the sum of Revenue excluding the West region?", /^369 /],
      ['In which month did we sell the most units?', /^Highest: February 2024, 33 /],
      ['What is the second highest revenue?', /: 90 /],
      ['how many orders contain Tea?', /^4 /],
      ['What was the revenue on 2024-02-11?', /^22\.5 /],
      ['which products have a unit price above 5?', /: Coffee, Cocoa\.$/],
      ['difference between highest and lowest revenue', /^90 /],
      ['Number of orders after 1 March 2024', /^3 /],
      ['What is the average number of units per order?', /^≈ 8\.67 /],
      ['How much revenue did Coffee make in the South?', /^63 /],
      ['Which region sold Cocoa?', /: East, North\.$/],
      ['what is the cheapest product', /^Lowest: Tea, 4\.5 /],
      ['Sum the units where revenue is below 50', /^10 /],
      ['what day had the highest revenue', /^Highest: 2024-03-15, 99 /],
      ['revenue per unit by product', 'Revenue ÷ Units by Product: Coffee 9, Cocoa 6.25, Tea 4.5.'],
      ['how many rows', '9 rows in the table.'],
      ['Hi! Could you please tell me the average of unit price? Thanks a lot', /^≈ 6\.39 /],
      ['total revenue, and which region had the lowest revenue?', /^477 .* Lowest: South, 85\.5 /],
    ],
  ],
  [
    'staff.csv',
    staff,
    [
      ['How many people work in IT?', /^2 rows/],
      ['Who earns the most?', /^Highest: Meier, 61,250\.25/],
      ['Who has the lowest Gehalt?', /^Lowest: Lang, 38,900/],
      [
        'What is the average Gehalt by Abteilung?',
        'Average of Gehalt by Abteilung: IT 56,775.375, HR 41,000, Vertrieb 38,900; 1 row without a number.',
      ],
      ['total Gehalt', /^193,450\.75 .*1 row without a number/],
      ['Which rows have no Gehalt?', /Kurz/],
    ],
  ],
  [
    'users.json',
    users,
    [
      ['How many users are on the pro plan?', /^3 rows/],
      ['Which country has the most logins?', /^Highest: US, 120 /],
      ['How many users signed up in June 2023?', /^2 rows/],
    ],
  ],
  [
    'months.csv',
    months,
    [
      ['total signups', /^1,130 /],
      ['Which month had the most churn?', /^Highest: Jun, 105 /],
      ['average signups in the first quarter', /^150 /],
      ['What is the ratio of churned to signups in April?', /^0\.5 /],
      ['How many months had more than 150 signups?', /^4 /],
    ],
  ],
  [
    'houses.csv',
    houses,
    [
      ['What is the average price in Leeds?', /224,975/],
      ['Which city has the highest average price?', /^Highest: York, .*367,750/],
      ['How many houses have at least 3 bedrooms?', /^2 rows/],
      ['most expensive house in York', /410,500/],
    ],
  ],
]

/** Numbers that name orders, a quantity, and a column that is called like a total. */
const tills = `Order,Store,Item,Qty,Total
5001,Leeds,Kettle,2,79.80
5002,York,Toaster,1,54.50
5003,Leeds,Toaster,3,163.50
5004,Hull,Kettle,4,159.60
5005,York,Kettle,5,199.50
`
const tillQuestions = [
  ['Show me the top 2 orders by total', /5005 199\.5, 5003 163\.5/],
  ['How many kettles were sold in Hull?', /^4 /],
  ['How many kettles were sold?', /^11 /],
  ['How many orders contain a Kettle?', /^3 /],
  ['top 2 stores by total', /Leeds 243\.3, York 254|York 254, Leeds 243\.3/],
  ['Total quantity per item', /Kettle 11, Toaster 4/],
  ['ok so I have this file from our till. I would just like to know: what is the total quantity?', /^15 /],
] as const

describe.each([...tables, ['tills.csv', tills, tillQuestions] as const])('a question over %s', (name, text, questions) => {
  it.each(questions)('%s', async (question, answer) => {
    expect(await ask(name, text)(question)).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : answer)
  })
})

describe('table.question', () => {
  it('refuses another table than the one that the question names', async () => {
    const artifact = { name: 'b.csv', sha256: '0'.repeat(64), media_type: 'text/csv', size: 1, artifact_type: 'table.csv' }
    const inputs = [
      { port: 'query', type: 'query.table_question', data: { question: 'What is the total of n?', file: 'a.csv' } },
      { port: 'table', type: 'table.csv', text: 'n\n1\n', artifact },
    ]
    await expect(async () => tableQuestionTool.run({ inputs } as never)).rejects.toThrow('The question is about “a.csv”')
  })

  it.each([
    'Translate the table to German',
    'Write a report on the sales',
    'Delete all rows with Tea',
    'What will revenue be next month?',
    'How many units were sold on average per month?',
    'Does the North sell more than the South?',
    'Draw a chart of revenue by region',
    'Email the total revenue to my boss',
    'Wie hoch ist der Umsatz?',
    'What is the weather in the North?',
    '',
  ])('does not take %j', async (question) => {
    expect(await ask('orders.csv', orders)(question)).toBe('not taken')
  })

  it.each(['Which customer bought the most?', 'What is 15% of the total revenue?', 'total profit and total revenue'])(
    'asks where %j has a name that the whole file lacks',
    async (question) => {
      expect(await ask('orders.csv', orders)(question)).toMatch(/^asks: No column or cell has the name/)
    },
  )

  it.each(['total visits per month', 'visits by year', 'total visits each week', 'total town', 'average town per week'])(
    'does not drop the group or the measure of %j, which the table lacks',
    async (question) => {
      expect(await ask('visits.csv', 'town,visits\nPorto,3\nZwolle,4\n')(question)).toMatch(/^asks: |^not taken/)
    },
  )

  it('lists all groups in the order that is asked for', async () => {
    expect(await ask('orders.csv', orders)('total revenue per region, lowest first')).toBe(
      'Sum of Revenue by Region: South 85.5, West 108, East 140, North 143.5.',
    )
  })

  it('asks where a part refers to the answer before it', async () => {
    expect(await ask('orders.csv', orders)('what is the highest revenue and which product was it?')).toMatch(/^asks: State in one question/)
  })

  it('takes a name that may stand beyond the beginning of a long file, and computes with the whole file', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `${index},${index < 2_990 ? 'Porto' : 'Zwolle'},${index % 7}`)
    const text = `id,town,visits\n${rows.join('\n')}\n`
    const head = text.slice(0, 30_000)
    const answer = await askTool(tableQuestionTool, 'How many visits in Zwolle?', [{ name: 'visits.csv', text, head }])
    const visits = rows.slice(2_990).reduce((sum, row) => sum + Number(row.split(',')[2]), 0)
    expect(answer).toMatch(new RegExp(`^${visits} `))
  })

  it('asks for the table if none is attached', async () => {
    expect(await askTool(tableQuestionTool, 'What is the total of the column Revenue in my table?')).toMatch(/^asks: Which table/)
  })

  it.each(['', '\n\n', ',,,\n,,,', '{"a":', '<html></html>', 'only a heading'])('survives the table %j', async (text) => {
    expect(await ask('a.csv', text)('What is the total?')).not.toMatch(/^\d/)
  })

  it('takes time that is linear in a table of 2 MiB', async () => {
    const text = `id,name,amount\n${Array.from({ length: 80_000 }, (_, index) => `${index},name ${index},${index % 100}`).join('\n')}`
    const before = performance.now()
    expect(await askTool(tableQuestionTool, 'What is the sum of amount?', [{ name: 'a.csv', text, head: text.slice(0, 30_000) }])).toMatch(
      /^3,960,000 /,
    )
    expect(performance.now() - before).toBeLessThan(20_000)
  })

  it('reads hostile goals in bounded time', () => {
    const wide = `${Array.from({ length: 200 }, (_, index) => `alphabetically beta gamma${index}`).join(',')}\n${'1,'.repeat(199)}1\n`
    const long = `qty,price\n${'1,2\n'.repeat(7_000)}`
    const formulas = Array.from({ length: 12 }, (_, part) =>
      Array.from({ length: 18 }, (_, index) => `qty * ${index}${part}`).join(' '),
    ).join('? ')
    const goals = ['1:'.repeat(1_990), '"a '.repeat(1_300), 'anuales März '.repeat(300), '(qty*'.repeat(790), formulas]
    for (const head of [wide, long])
      for (const goal of goals) {
        const text = `How many ${goal}`.slice(0, 4_000)
        const before = performance.now()
        tableQuestionTool.readGoal({
          text,
          words: text,
          quotations: [],
          files: [{ name: 'a.csv', type: 'table.csv', head, isWhole: true }],
        })
        // On an idle machine, at most 300 ms. Without limits, more than 10 s.
        expect(performance.now() - before).toBeLessThan(3_000)
      }
  })
})

describe('columns of a list with a condition', () => {
  const members = {
    name: 'members.csv',
    type: 'table.csv',
    isWhole: true,
    head: 'name,email,subscription\nAnn,ann@x.org,active\nBob,bob@x.org,expired\n',
  }
  const answer = async (text: string) => {
    const reading = tableQuestionTool.readGoal({ text, words: text, quotations: [], files: [members] })
    if (!reading || 'question' in reading) return reading?.question ?? 'not taken'
    const inputs = [
      { port: 'query', type: 'query.table_question', data: reading.query },
      { port: 'table', type: 'table.csv', text: members.head },
    ]
    return (await tableQuestionTool.run({ inputs } as never)).text
  }

  it.each([
    'List name and email where subscription is not active',
    'Give me the names and e-mail addresses of everyone in this file whose subscription is not active',
  ])('%s', async (text) => {
    expect(await answer(text)).toContain('Bob, bob@x.org')
    expect(await answer(text)).not.toContain('Ann')
  })

  it('takes no wish to send an e-mail', async () => {
    expect(await answer('List name where subscription is not active and email me the list')).toBe('not taken')
  })
})
