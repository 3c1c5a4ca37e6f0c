/** The three goals: one of plain words, one with the client's own table, and one that can't be met. */
import type { PlannerMode } from '@parley/protocol'

export type DemoGoal = {
  readonly name: string
  readonly title: string
  readonly text: string
  /** What the client wrote first, if `text` is a reading that it chose. */
  readonly originalText?: string
  readonly criteria: readonly string[]
  /** `deterministic` by default. */
  readonly planner?: PlannerMode
  /** Base units of test USDC. */
  readonly budget: bigint
  readonly attachments: readonly { name: string; media_type: string; artifact_type: string; content: string }[]
  /** How it must end, which files it must leave, and what each of those must say. */
  readonly expected: {
    readonly state: 'paid' | 'refunded'
    readonly files: { readonly [artifactType: string]: readonly RegExp[] }
    /** Steps of sub-teams that are paid. */
    readonly hired?: number
  }
}

const visitors = 'month,visitors\nJanuary,1200\nFebruary,1350\nMarch,1500\nApril,1480\nMay,1720\nJune,1900\nJuly,2410\nAugust,2380\n'
const years = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => new RegExp(`\\b${from + index}\\b`))

export const demoGoals: readonly DemoGoal[] = [
  {
    name: 'microsoft',
    title: 'Microsoft’s revenue, from public figures',
    text: 'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report',
    criteria: ['The report covers every year from 2014 to 2020.', 'There is a chart in text format.', 'The report has a trend analysis.'],
    budget: 10_000_000n,
    attachments: [],
    expected: { state: 'paid', files: { 'report.markdown': [...years(2014, 2020), /143[.,]?0/], 'chart.text': [/2014/, /2020/] } },
  },
  {
    name: 'visitors',
    title: 'A museum’s visitors, from the client’s own CSV',
    text: 'Here are the visitors of our museum by month, as a CSV. Please draw a chart as SVG and write a trend analysis report.',
    criteria: ['The report mentions the month with the most visitors.', 'There is a chart.'],
    budget: 10_000_000n,
    attachments: [
      { name: 'visitors.csv', media_type: 'text/csv', artifact_type: 'table.csv', content: Buffer.from(visitors).toString('base64') },
    ],
    expected: { state: 'paid', files: { 'report.markdown': [/July/, /2,?410/], 'chart.svg': [/<svg/] } },
  },
  {
    name: 'unmeetable',
    title: 'Figures of years that nobody has: nothing of it can be done, refunded',
    text: 'I want to know the annual revenue of Netflix from 2016 to 2035. Please generate a trend analysis report',
    criteria: ['The report covers every year from 2016 to 2035.'],
    budget: 8_000_000n,
    attachments: [],
    expected: { state: 'refunded', files: {} },
  },
]

/** A goal whose analyst has its figures checked by two others, whom it hires and pays. */
export const nestedGoal: DemoGoal = {
  name: 'nested',
  title: 'Microsoft’s revenue, checked by a team that the analyst hires',
  text: 'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report. Please have it checked.',
  criteria: ['The report covers every year from 2014 to 2020.', 'There is a chart in text format.'],
  budget: 10_000_000n,
  attachments: [],
  expected: {
    state: 'paid',
    files: { 'report.markdown': years(2014, 2020), 'check.series': [/"sound": true/], 'check.trend': [/"agrees": true/] },
    hired: 2,
  },
}
