import { describe, expect, it } from 'vitest'
import { tableQuestionTool } from '../../../../../../../agents/builtin/tools/tables/question-tool.ts'
import { askTool } from '../../../numbers/ask-tool.ts'

const sensor = 'time,temp\n08:00,20.1\n09:00,20.4\n10:00,85.0\n11:00,20.2\n12:00,20.6\n13:00,19.9\n'
const contacts =
  'id,name,email,city,score\n1,Ana,ana@x.org,Oslo,10\n2,Ben,,Rome,12\n3,Cid,ana@x.org,Oslo,11\n4,Dan,dan@x.org,,\n1,Ana,ana@x.org,Oslo,10\n'
const ask = (text: string) => (question: string) =>
  askTool(tableQuestionTool, question, [{ name: 'a.csv', text, head: text, isWhole: true }])

describe('a check of a table', () => {
  // Quartiles of the six values: 20.125 and 20.55, so the limits are 19.4875 and 21.1875.
  it.each([
    [
      'Are there outliers in the temp column? Give me the average with and without them.',
      /^1 outlier in “temp”: 85 in row 3 .*1\.5 interquartile ranges.*all values (?:≈ )?31\.03\d* \(6 rows\), without 1 outlier (?:≈ )?20\.24\d* \(5 rows\)/,
    ],
    ['average temp without outliers', /^Average of temp: without 1 outlier 20\.24 /],
    ['average temp, ignore outliers', /20\.24/],
    ['median temp with and without outliers please', /20\.3 \(6 rows\), without 1 outlier 20\.2 /],
    ['find anomalies in the temperature', /^1 outlier in “temp”: 85/],
  ])('finds outliers: %s', async (question, answer) => {
    expect(await ask(sensor)(question)).toMatch(answer)
  })

  it.each([
    ['any duplicate emails?', /^1 entry of “email” occurs more than once: ana@x\.org in rows 1, 3 and 5\./],
    ['Are there duplicate rows?', /^1 row repeats an earlier one: .* in rows 1 and 5\./],
    ['Which names appear more than once?', /Ana in rows 1 and 5/],
    ['which cells are missing', /^3 cells are missing: email in row 2 \(2, Ben\); city in row 4 \(4, Dan\); score in row 4/],
    ['Is anything missing in the city column?', /^1 cell is missing: city in row 4/],
    ['Is anything missing in the name column?', 'No cell is missing in “name” (5 rows).'],
    [
      'how many contacts per city and are there any blanks?',
      /^Number of rows by city: Oslo 3, Rome 1\. 1 row without city\. 3 cells are missing/,
    ],
    ['which contacts have no email', /Ben/],
  ])('finds missing cells and duplicates: %s', async (question, answer) => {
    expect(await ask(contacts)(question)).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : answer)
  })

  it.each([
    'Email the duplicates to my boss',
    'why is the temp so high at 10:00?',
    'Are there outliers per weekday?',
    'Is something missing in our strategy?',
    'average temp without outliers and forecast the next hour',
  ])('does not answer %j', async (question) => {
    expect(await ask(sensor)(question)).toMatch(/^not taken|^asks: /)
  })
})
