import { useTranslations } from 'next-intl'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Card, Section } from '../../../_components/ui/card.tsx'
import { LazyMarkdown } from '../../../_components/ui/lazy-markdown.tsx'

const heads = { delivered: 'answer', failed: 'whyEndedWithoutResult', stopped: 'whatThereWhenStopped' } as const

/** The final message of the work. The files are beside it. */
export function OutcomePanel({ run }: { run: Run }) {
  const t = useTranslations('run.outcomePanel')
  const { outcome, answer } = run.goal
  if (outcome === null) return null
  const texts = (Array.isArray(answer) ? answer : []).flatMap((part: { text?: unknown } | null) =>
    typeof part?.text === 'string' && part.text ? [part.text] : [],
  )
  if (texts.length === 0) return null
  return (
    <Section title={t(heads[outcome])}>
      <Card>
        <LazyMarkdown text={texts.join('\n\n')} />
      </Card>
    </Section>
  )
}
