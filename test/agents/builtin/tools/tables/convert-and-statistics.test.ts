import { describe, expect, it } from 'vitest'
import { findQuotations, withoutQuotations } from '../../../../../agents/builtin/planner/intent/find-quotations.ts'
import { tableTools } from '../../../../../agents/builtin/tools/tables/index.ts'

const csv = 'Store;Item;Total\r\nLeeds;Kettle;79,80\r\nYork;"Big; toaster";54,50\r\nLeeds;Kettle;79,80\r\nHull;Lamp;\r\n'
const json = JSON.stringify([
  { month: '2025-01', visits: 1200 },
  { month: '2025-02', visits: 1350 },
  { month: '2025-03', visits: 1500 },
  { month: '2025-04', visits: 1425 },
])

type Done = { readonly skill: string; readonly text: string; readonly file: string }

/** What the surest tool does; its question; or undefined. */
async function ask(text: string, [name, content]: readonly [string, string] = ['a.csv', csv]): Promise<Done | string | undefined> {
  const type = name.endsWith('json') ? 'table.json' : 'table.csv'
  const goal = {
    text,
    words: withoutQuotations(text),
    quotations: findQuotations(text),
    files: [{ name, type, head: content, isWhole: true }],
  }
  const readings = tableTools.flatMap((tool) => {
    const reading = tool.readGoal(goal)
    return reading ? [{ tool, reading }] : []
  })
  const [best] = readings.toSorted((a, b) => b.reading.confidence - a.reading.confidence)
  if (!best) return undefined
  if ('question' in best.reading) return best.reading.question
  const artifact = { name, media_type: 'text/csv', artifact_type: type, sha256: '0'.repeat(64), size: content.length }
  const inputs = [
    { port: 'query', type: best.tool.skill.inputs[0]?.type ?? '', data: best.reading.query },
    { port: 'table', type, text: content, artifact },
  ]
  const { text: answer, outputs } = await best.tool.run({ inputs: inputs as never })
  return { skill: best.tool.skill.id, text: answer, file: outputs[0]?.text ?? '' }
}

describe('table.convert', () => {
  it.each(['Convert this CSV to JSON', 'csv to json', 'please turn the attached file into a JSON file', 'Export as JSON'])(
    'takes %s',
    async (text) => {
      const done = (await ask(text)) as Done
      expect(done).toMatchObject({ skill: 'table.convert', text: '4 rows and 3 columns as JSON.' })
      expect(JSON.parse(done.file)).toEqual([
        { Store: 'Leeds', Item: 'Kettle', Total: 79.8 },
        { Store: 'York', Item: 'Big; toaster', Total: 54.5 },
        { Store: 'Leeds', Item: 'Kettle', Total: 79.8 },
        { Store: 'Hull', Item: 'Lamp', Total: null },
      ])
    },
  )

  it('writes CSV and Markdown, whose cells keep their text', async () => {
    expect(await ask('Convert the attached file to csv', ['v.json', json])).toMatchObject({
      file: expect.stringContaining('2025-01,1200\r\n'),
    })
    expect(await ask('Export as Markdown table', ['v.json', json])).toMatchObject({ file: expect.stringContaining('| 2025-04 | 1425 |') })
  })

  it('removes duplicates, sorts with missing cells last, and keeps columns', async () => {
    expect(await ask('Remove the duplicate rows')).toMatchObject({
      text: '3 rows and 3 columns as CSV. 1 duplicate row removed.\nStore,Item,Total\nLeeds,Kettle,"79,80"\nYork,Big; toaster,"54,50"\nHull,Lamp,',
    })
    expect(await ask('Sort the table by Total descending')).toMatchObject({
      file: 'Store,Item,Total\r\nLeeds,Kettle,"79,80"\r\nLeeds,Kettle,"79,80"\r\nYork,Big; toaster,"54,50"\r\nHull,Lamp,\r\n',
    })
    expect(await ask('sort by total and convert to JSON')).toMatchObject({ file: expect.stringMatching(/54\.5[\s\S]*79\.8[\s\S]*null/) })
    expect(await ask('Keep only the columns Item and Store')).toMatchObject({ file: expect.stringMatching(/^Item,Store\r\nKettle,Leeds/) })
  })

  it('shows a table of at most 20 rows in the message', async () => {
    const tableOf = (rows: number) => ['t.csv', `n\n${Array.from({ length: rows }, (_, index) => rows - index).join('\n')}\n`] as const
    expect(await ask('Sort the table by n', tableOf(3))).toMatchObject({ text: '3 rows and 1 column as CSV.\nn\n1\n2\n3' })
    expect(await ask('Sort the table by n', tableOf(21))).toMatchObject({ text: '21 rows and 1 column as CSV.' })
  })

  it('asks for a column that is there', async () => {
    expect(await ask('sort by colour')).toBe('The table has no column “colour”. Its columns are Store, Item and Total.')
  })
})

describe('table.statistics', () => {
  it.each(['Give me summary statistics of the attached table', 'descriptive statistics please', 'describe the data'])(
    'takes %s',
    async (text) => {
      // By hand: the mean of 1200, 1350, 1500 and 1425 is 1368.75, the median 1387.5, the sample deviation 128.09.
      expect(await ask(text, ['v.json', json])).toMatchObject({
        skill: 'table.statistics',
        text: '4 rows and 2 columns. visits: mean 1,368.75, median 1,387.5, from 1,200 to 1,500.',
        file: expect.stringContaining('128.09'),
      })
    },
  )
  it('counts missing cells and the most frequent ones', async () => {
    expect(await ask('summary statistics')).toMatchObject({
      file: expect.stringMatching(/\| Total \| number \| 3 \| 1 \|[\s\S]*\| Store \| 4 \| 0 \| 3 \| Leeds \(2\) \|/),
    })
  })
})

it.each([
  'Statistics on crime in Berlin',
  'Convert the prices to euros',
  'Convert this to PDF',
  'Sort out my life',
  'Convert this CSV to JSON and email it to my boss',
  'Describe the data in a poem',
])('no table tool takes %s', async (text) => {
  expect(await ask(text)).toBeUndefined()
})
