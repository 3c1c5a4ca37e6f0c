/** Seed data of a new installation: the listings of the built-in agents with their prices. The supervisor publishes them. */
import type { ListingDraft } from '@parley/protocol'
import { type BuiltinName, builtinHandle } from './agent-names.ts'
import { companyFigures } from './data/company-figures.ts'
import { toolListings } from './tools/listings.ts'
import { webListing } from './web/listing.ts'

type SkillDraft = ListingDraft['skills'][number]
type Port = SkillDraft['inputs'][number]

const port = (name: string, type: string, description: string, more: Partial<Port> = {}): Port => ({
  name,
  type,
  description,
  optional: false,
  ...more,
})
const optional = (name: string, type: string, description: string): Port => port(name, type, description, { optional: true })

/** Base units of a coin with six decimals. */
const usdc = (cents: number): string => String(BigInt(cents) * 10_000n)

const series = port('series', 'table.series', 'Rows of a label and one or more numbers, with unit and source.')
const policy = {
  data_use: 'Inputs are used for the task only, kept in memory, and gone when it ends. No model sees them.',
  max_concurrency: 4,
}

/** The years of which there are figures of any company. */
const firstYear = Math.min(...companyFigures.map(({ first }) => first.revenue ?? Number.POSITIVE_INFINITY))
const lastYear = Math.max(...companyFigures.map(({ first, revenue }) => (first.revenue ?? 0) + revenue.length - 1))

const figuresSchema = {
  type: 'object',
  required: ['company'],
  properties: {
    company: { type: 'string', description: 'Name, with or without its legal form, or ticker.' },
    companies: { type: 'array', items: { type: 'string' }, maxItems: 6, description: 'Several at once, beside one another.' },
    metric: { enum: ['revenue', 'net_income'], default: 'revenue' },
    from: { type: 'integer', minimum: firstYear, description: 'First fiscal year.' },
    to: { type: 'integer', maximum: lastYear, description: 'Last fiscal year.' },
    last: { type: 'integer', description: 'The latest so many years, in place of `from`.' },
  },
}

type Offer = Pick<ListingDraft, 'name' | 'summary' | 'readme' | 'skills'> & Partial<Pick<ListingDraft, 'policy'>>

const offers: { readonly [name in BuiltinName]: Offer } = {
  principal: {
    name: 'House Principal',
    summary: 'Plans a goal, hires the agents it takes, sees the work through and hands over one answer.',
    readme: [
      'Reads a goal, works backwards from what is wanted to what is at hand over whatever agents are online, proposes a charter, and puts the answer together.',
      '',
      '- It prefers cheaper and better judged agents and never plans beyond the budget.',
      '- Steps that need nothing of one another run at the same time.',
      '- An agent that falls silent or fails is replaced; if there is no replacement, the goal ends without a result and the money goes back.',
      '- What it cannot read in a goal it asks in the room.',
    ].join('\n'),
    skills: [
      {
        id: 'goal.plan',
        name: 'Plan and coordinate a goal',
        description: 'Takes a goal from plan to answer. Paid as the last step of the charter.',
        inputs: [],
        outputs: [port('plan', 'plan', 'The task graph, its cost and its critical path, in the room.')],
        price: usdc(100),
        tags: ['planning', 'coordination'],
        samples: [
          {
            title: 'A figure and a report',
            input: {
              text: 'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report',
            },
            output:
              'Six steps: figures.lookup; then trend.analyse and chart.draw_text at the same time; report.write; work.review; and the answer.',
          },
        ],
      },
    ],
  },
  data: {
    name: 'House Data',
    summary: 'Annual figures of large public companies with their sources, and tables of your own made readable.',
    readme: [
      'Looks up annual revenue and net income as companies state them in their annual reports (Form 10-K), in million US dollars, with source and notes on restatements.',
      '',
      `It has ${companyFigures.map((company) => company.name).join(', ')}. What it does not have it refuses, and says what it has.`,
      '',
      'It also reads CSV and JSON files: finds the label column and the columns of numbers, understands thousands separators, per cent signs, currencies and missing cells, and names the line that it can not read.',
    ].join('\n'),
    skills: [
      {
        id: 'figures.lookup',
        name: 'Look up annual figures',
        description: 'Annual revenue or net income of public companies, by fiscal year, with source.',
        inputs: [port('query', 'query.figures', 'Company, measure and years.', { schema: figuresSchema })],
        outputs: [series],
        price: usdc(50),
        tags: [...companyFigures.map((company) => company.name), 'Google', 'Facebook', 'revenue', 'net income', '10-K'],
        samples: [
          {
            title: 'Microsoft, 2019 and 2020',
            input: { company: 'Microsoft', metric: 'revenue', from: 2019, to: 2020 },
            output: '{"unit":"million USD","columns":["Fiscal year","Revenue"],"rows":[["2019",125843],["2020",143015]]}',
          },
        ],
      },
      {
        id: 'figures.import',
        name: 'Read a CSV table',
        description: 'A CSV file of labels and numbers as a series; what can not be read is named by its line.',
        inputs: [port('table', 'table.csv', 'A CSV file of at most 2 MiB and 5,000 rows; comma, semicolon or tab.')],
        outputs: [series],
        price: usdc(40),
        tags: ['csv', 'import', 'table'],
        samples: [
          {
            title: 'Three months',
            input: 'Month;Visitors\n2024-01;1.204\n2024-02;1.318\n2024-03;1.510',
            output: '{"columns":["Month","Visitors"],"rows":[["2024-01",1204],["2024-02",1318],["2024-03",1510]]}',
          },
        ],
      },
      {
        id: 'figures.import_json',
        name: 'Read a JSON table',
        description: 'A list of records, {columns, rows}, or a map from label to number, as a series.',
        inputs: [port('table', 'table.json', 'A JSON file of at most 2 MiB and 5,000 rows.')],
        outputs: [series],
        price: usdc(40),
        tags: ['json', 'import', 'table'],
        samples: [
          { title: 'A map', input: { Tea: 120, Coffee: 340 }, output: '{"columns":["Label","Value"],"rows":[["Tea",120],["Coffee",340]]}' },
        ],
      },
      {
        id: 'figures.check',
        name: 'Look through a table',
        description: 'Rows without a number, labels that come twice or out of order.',
        inputs: [series],
        outputs: [port('check', 'check.series', 'What was found, as JSON.')],
        price: usdc(10),
        tags: ['check', 'table'],
        samples: [],
      },
    ],
  },
  analyst: {
    name: 'House Analyst',
    summary: 'Growth, compound growth, fits with R², outliers and turning points of any series.',
    readme:
      'Computes growth per period, compound growth (CAGR), a line and an exponential by least squares with R², robust outliers by the median absolute deviation, best and worst periods and changes of direction. Labels that are names, not times, are compared instead. Missing values stay missing. Where a goal asks for a cross-check, it hires two others out of its own price and says what they found.',
    skills: [
      {
        id: 'trend.analyse',
        name: 'Analyse a trend',
        description: 'Growth, CAGR, fits, outliers and turning points of every column of a series.',
        inputs: [series],
        outputs: [port('trend', 'analysis.trend', 'The findings as JSON, with the method.')],
        price: usdc(60),
        tags: ['statistics', 'growth', 'cagr', 'regression', 'outliers'],
        samples: [
          {
            title: 'Two years',
            input: {
              rows: [
                ['2019', 125_843],
                ['2020', 143_015],
              ],
            },
            output: '{"cagr":0.136455742473,"direction":"rising"}',
          },
        ],
      },
    ],
  },
  plotter: {
    name: 'House Plotter',
    summary: 'Charts as text for any terminal, or as SVG with a title and a description.',
    readme:
      'Text charts are at most 80 columns wide: bars for up to 24 rows, a line above that. SVG charts carry no scripts and no remote references, are legible on light and on dark, and name their figures for readers who can not see them.',
    skills: [
      {
        id: 'chart.draw_text',
        name: 'Draw a chart in text',
        description: 'A chart in plain characters, at most 80 columns wide.',
        inputs: [series],
        outputs: [port('chart', 'chart.text', 'Plain text, UTF-8.')],
        price: usdc(30),
        tags: ['chart', 'text', 'ascii'],
        samples: [
          {
            title: 'Two bars',
            input: {
              rows: [
                ['2019', 125_843],
                ['2020', 143_015],
              ],
            },
            output: '2019 |█████████████ 125,843\n2020 |███████████████ 143,015',
          },
        ],
      },
      {
        id: 'chart.draw_svg',
        name: 'Draw a chart as SVG',
        description: 'A line or bar chart as accessible SVG.',
        inputs: [series],
        outputs: [port('chart', 'chart.svg', 'SVG with title and description.')],
        price: usdc(40),
        tags: ['chart', 'svg', 'picture'],
        samples: [],
      },
    ],
  },
  writer: {
    name: 'House Writer',
    summary: 'A Markdown report on a table and its analysis that cites every file by its hash.',
    readme:
      'Writes what the figures say and no more: a lead, the table, the charts, the trend in sentences, a conclusion, method and limits, and the files it was made from with their SHA-256.',
    skills: [
      {
        id: 'report.write',
        name: 'Write a report',
        description: 'A Markdown report on a series and its trend analysis, with the charts it is given.',
        inputs: [
          series,
          port('trend', 'analysis.trend', 'The findings on that series.'),
          optional('text_chart', 'chart.text', 'Stands in the report as a code block.'),
          optional('svg_chart', 'chart.svg', 'Is named in the report.'),
        ],
        outputs: [port('report', 'report.markdown', 'Markdown.')],
        price: usdc(80),
        tags: ['report', 'markdown', 'writing'],
        samples: [],
      },
    ],
  },
  reviewer: {
    name: 'House Reviewer',
    summary: 'Checks acceptance criteria against the files and recomputes every number it can place.',
    readme:
      'Checks by rule: years and rows covered, charts and tables there, words and quotations mentioned, lengths, sources, compound and yearly growth. It recomputes the numbers of the report from the table whether asked or not. A criterion that no rule can judge is said to be unchecked, and fails nothing.',
    skills: [
      {
        id: 'work.review',
        name: 'Review against the criteria',
        description: 'A verdict on each acceptance criterion with its evidence.',
        inputs: [
          port('criteria', 'goal.criteria', "The goal's text and its acceptance criteria."),
          port('report', 'report.markdown', 'What is reviewed.'),
          optional('series', 'table.series', 'What the numbers are recomputed from.'),
          optional('trend', 'analysis.trend', 'Held against the table too.'),
          optional('text_chart', 'chart.text', 'Held against the table too.'),
          optional('svg_chart', 'chart.svg', 'Looked for where a picture is asked.'),
        ],
        outputs: [port('verdict', 'review.verdict', 'Pass or not, and each criterion with its evidence, as JSON.')],
        price: usdc(50),
        tags: ['review', 'quality', 'acceptance'],
        samples: [],
      },
      {
        id: 'trend.check',
        name: 'Recalculate an analysis',
        description: 'First, last, highest and sum of each column, calculated from the table and compared with the claims.',
        inputs: [series, port('claims', 'claims.trend', 'The claimed figures: { columns: [{ column, first, last, sum, highest }] }.')],
        outputs: [port('check', 'check.trend', 'Whether they agree, and where not, as JSON.')],
        price: usdc(10),
        tags: ['check', 'review'],
        samples: [],
      },
    ],
  },
  web: webListing,
  ...toolListings,
}

/** Of the planner, if a model is configured. */
const modelDataUse =
  'In the modes model and hybrid, and for public goals in the mode copilot, the text, criteria and answers of a goal and the beginnings of its files are sent to the configured language model. Nothing is kept beyond the goal.'

/** @param hasModel the planner announces the modes that need a model as tags of its skill */
export function listingDraftOf(name: BuiltinName, payout: string, hasModel = false): ListingDraft {
  const offer = offers[name]
  const withModes = (skill: SkillDraft) => (skill.id === 'goal.plan' ? { ...skill, tags: [...skill.tags, 'model', 'hybrid'] } : skill)
  const skills = hasModel ? offer.skills.map(withModes) : offer.skills
  const dataUse = hasModel && name === 'principal' ? { policy: { ...policy, data_use: modelDataUse } } : {}
  return { handle: builtinHandle(name), policy, ...offer, ...dataUse, skills, payout: payout.toLowerCase() }
}
