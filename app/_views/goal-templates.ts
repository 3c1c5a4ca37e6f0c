import type { GoalDraft } from './goal-draft.ts'

export type GoalTemplate = { readonly name: string; readonly what: string; readonly fields: Partial<GoalDraft> }

const csv = `month,visits
2025-01,1180
2025-02,1265
2025-03,1410
2025-04,1388
2025-05,1502
2025-06,1730
2025-07,1904
2025-08,1856
2025-09,2011
2025-10,2140
2025-11,2395
2025-12,2610
`

/** Three starts. Each is an ordinary goal that any planner may read. */
export const goalTemplates: readonly GoalTemplate[] = [
  {
    name: 'Company figures',
    what: 'Revenue over seven years, a text figure and a trend report',
    fields: {
      text: 'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report',
      criteria: [
        'The report names the annual revenue of every year from 2014 to 2020.',
        'There is a figure in text format.',
        'The report states the compound annual growth rate.',
      ],
      deliverables: ['chart.text', 'report.markdown'],
      budget: '10.00',
    },
  },
  {
    name: 'My own table',
    what: 'A CSV that you attach, drawn and analysed',
    fields: {
      text: 'Analyse the monthly visits in the attached table. Please draw a chart as an SVG picture, and write a trend analysis report',
      criteria: ['The report names the month with the most visits.', 'There is a chart as an SVG picture.'],
      deliverables: ['chart.svg', 'report.markdown'],
      budget: '8.00',
      attachments: [{ name: 'visits.csv', mediaType: 'text/csv', content: btoa(csv), size: csv.length }],
    },
  },
  {
    name: 'A check that must fail',
    what: 'A criterion that the figures can’t meet: see the refund',
    fields: {
      text: 'I want to know the annual net income of Apple from 2015 to 2020. Please write a trend analysis report',
      criteria: ['The report names the best and the worst year.', 'The data has at least twelve points.'],
      deliverables: ['report.markdown'],
      budget: '6.00',
    },
  },
]
