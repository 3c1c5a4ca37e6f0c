'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { Section, Skeleton } from '../../../../_components/ui/section.tsx'
import { Tabs } from '../../../../_components/ui/tabs.tsx'
import { WhenVisible } from '../../../../_components/ui/when-visible.tsx'
import type { RunView } from '../run-view.ts'
import type { People } from '../to-run-view.ts'
import { StepsTable } from './steps-table.tsx'

// The graph is large, and many people read only the table, so it is loaded on first use.
const StepsGraph = dynamic(() => import('./steps-graph.tsx').then((module) => module.StepsGraph), {
  ssr: false,
  loading: () => <Skeleton className="h-72 rounded-lg" />,
})

/** The plan as a graph, and the same as a table. */
export function StepsPanel({ view, people }: { view: RunView; people: People }) {
  const t = useTranslations('run.stepsPanel')
  const isEnded = view.goal.state === 'paid' || view.goal.state === 'refunded'
  const count = view.steps.filter((step) => step.state === 'paid' || (!isEnded && step.state === 'done')).length
  return (
    <Section
      title={t('steps')}
      className="mb-8"
      aside={isEnded ? t('ofPaid', { count, count2: view.steps.length }) : t('ofDone', { count, count2: view.steps.length })}
    >
      <Tabs
        label={t('viewsOfSteps')}
        tabs={[
          {
            value: 'graph',
            label: t('graph'),
            content: (
              <WhenVisible className="h-72">
                <StepsGraph view={view} people={people} />
              </WhenVisible>
            ),
          },
          { value: 'table', label: t('table'), content: <StepsTable view={view} people={people} /> },
        ]}
      />
    </Section>
  )
}
