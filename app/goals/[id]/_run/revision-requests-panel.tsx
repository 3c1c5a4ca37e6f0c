'use client'
import { useTranslations } from 'next-intl'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Card, Section } from '../../../_components/ui/section.tsx'
import { Chip } from '../../../_components/ui/state-chip.tsx'
import { Time } from '../../../_components/ui/time.tsx'

/** The client's requests for changes, the newest first. Nothing if there is none. */
export function RevisionRequestsPanel({ run }: { run: Run }) {
  const t = useTranslations('run.revisionRequestsPanel')
  const { revisions, goal } = run
  if (revisions.length === 0) return null
  return (
    <Section title={t('changesRequested')} aside={t('roundOfRounds', { round: goal.revisions, rounds: goal.revisionRounds })}>
      <ol className="grid gap-3">
        {revisions.toReversed().map((one) => (
          <li key={one.round}>
            <Card>
              <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-muted text-sm">
                <span>{t('roundSteps', { round: one.round, steps: one.steps.join(', '), count: one.steps.length })}</span>
                {one.endedAt === null && goal.state === 'underway' ? <Chip tone="amber">{t('open')}</Chip> : <Time at={one.requestedAt} />}
              </p>
              <p className="mt-1 whitespace-pre-wrap break-words">{one.reason}</p>
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  )
}
