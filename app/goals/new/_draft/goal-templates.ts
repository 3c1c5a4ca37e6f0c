import type { Translate } from '../../../_messages/translate-types.ts'
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

/** Three templates. Each is an ordinary goal that any planner may read. */
export function goalTemplates(t: Translate<'post.templates'>): readonly GoalTemplate[] {
  return [
    {
      name: t('figures.name'),
      what: t('figures.what'),
      fields: {
        text: t('figures.text'),
        criteria: [t('figures.everyYear'), t('figures.textFigure'), t('figures.growthRate')],
        budget: '10.00',
      },
    },
    {
      name: t('table.name'),
      what: t('table.what'),
      fields: {
        text: t('table.text'),
        criteria: [t('table.bestMonth'), t('table.chart')],
        budget: '8.00',
        attachments: [{ name: 'visits.csv', mediaType: 'text/csv', content: btoa(csv), size: csv.length }],
      },
    },
    {
      name: t('failing.name'),
      what: t('failing.what'),
      fields: {
        text: t('failing.text'),
        criteria: [t('failing.bestYear'), t('failing.twelvePoints')],
        budget: '6.00',
      },
    },
  ]
}
