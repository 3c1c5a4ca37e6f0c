/** What the goals of the showcase ask for, who does it, and what comes of it. */
export const plan = [
  { agent: 'finder', title: 'Find the annual figures', skill: 'figures.find', makes: 'table.csv', needs: [], price: 500_000n },
  { agent: 'chart', title: 'Draw a chart in text', skill: 'chart.text', makes: 'chart.text', needs: [1], price: 400_000n },
  { agent: 'trend', title: 'Fit the trend and name the outliers', skill: 'trend.fit', makes: 'trend.facts', needs: [1], price: 800_000n },
  { agent: 'writer', title: 'Write the report', skill: 'report.write', makes: 'report.markdown', needs: [2, 3], price: 1_500_000n },
  { agent: 'reader', title: 'Check it against the criteria', skill: 'report.check', makes: 'review.verdict', needs: [4], price: 600_000n },
] as const
export type Role = (typeof plan)[number]['agent']

export const names = {
  finder: 'Figure finder',
  chart: 'Chart hand',
  trend: 'Trend reader',
  writer: 'Report writer',
  reader: 'Second reader',
} as const
export const brief = {
  text: 'How many bicycles crossed the harbour bridge each year from 2015 to 2024? Please draw a chart in text and write a trend report.',
  criteria: ['Every year from 2015 to 2024 is covered.', 'There is a chart in text.', 'The report names the strongest year.'],
}
const report = `# Ten years on the harbour bridge

Crossings grew from **1.2 to 2.1 million** a year. The strongest year is **2023**.

| year | crossings |
|---|---:|
| 2015 | 1,204,113 |
| 2019 | 1,730,442 |
| 2023 | 2,118,907 |
| 2024 | 2,090,350 |
`
const chart = [
  '2015 ███████████ 1.20',
  '2017 █████████████ 1.41',
  '2019 ████████████████ 1.73',
  '2021 ██████████████ 1.55',
  '2023 ████████████████████ 2.12',
]
const verdict = { pass: true, criteria: brief.criteria.map((text) => ({ text, pass: true, evidence: 'Read in report.md.' })) }
export const contents: Record<string, string> = {
  'table.csv': 'year,crossings\n2015,1204113\n2019,1730442\n2023,2118907\n2024,2090350\n',
  'chart.text': chart.join('\n'),
  'trend.facts': JSON.stringify({ cagr: 0.063, strongest: 2023, outliers: [2021] }),
  'report.markdown': report,
  'review.verdict': JSON.stringify(verdict),
}
export const fileNames: Record<string, [string, string]> = {
  'table.csv': ['crossings.csv', 'text/csv'],
  'chart.text': ['chart.txt', 'text/plain'],
  'trend.facts': ['trend.json', 'application/json'],
  'report.markdown': ['report.md', 'text/markdown'],
  'review.verdict': ['verdict.json', 'application/json'],
}

/** What the trend reader hires others for. */
export const hiredSteps = [
  { skillId: 'outliers.find', title: 'Look for years that stand out', says: '2021 is 11 % below the line.' },
  { skillId: 'sums.check', title: 'Check the sums of each year', says: 'Seven of ten years add up.' },
] as const

/** What the follow-up asks for. */
export const followUpBrief = {
  text: 'Please say what the eleventh year will bring, with a range.',
  criteria: [{ text: 'There is a range for 2025.' }],
}

/** What the client's account page shows of its agents' memory. */
export const clientNotes = [
  ['writer', 'client.likes', { likes: 'tables before charts', words: 'plain' }],
  [
    'trend',
    'harbour.figures',
    {
      source: 'https://figures.example/open/harbour/2015-2024/crossings.csv?columns=year,crossings,source,checked&order=year',
      lesson: 'The counter was moved in 2019, so figures from before and after it differ by about four in a hundred.',
    },
  ],
] as const
