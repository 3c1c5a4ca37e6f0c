'use client'
import { Check, CircleHelp, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useFileText } from '../../../../_components/content/file-preview.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import { Chip } from '../../../../_components/ui/state-chip.tsx'
import { type CriterionWithVerdict, criteriaWithVerdicts } from '../../../../_views/criteria-with-verdicts.ts'
import type { People } from '../to-run-view.ts'
import { newestReviewerVerdict, readReviewerVerdict } from './read-reviewer-verdict.ts'

/** The criteria with what rules and the reviewer found, whose file is loaded. */
export function useCriteriaWithVerdicts(run: Run): CriterionWithVerdict[] {
  const file = newestReviewerVerdict(run.artifacts)
  const { data } = useFileText(file ? `/api/artifacts/${run.goal.id}/${file.sha256}` : null)
  return criteriaWithVerdicts(run, data === undefined ? null : readReviewerVerdict(data))
}

/** The acceptance criteria: who checks each, and what was found with its evidence. */
export function CriteriaVerdictPanel({ run, people }: { run: Run; people: People }) {
  const t = useTranslations('run.criteriaVerdictPanel')
  const criteria = useCriteriaWithVerdicts(run)
  const open = criteria.filter(({ pass }) => pass === null).length
  const failed = criteria.filter(({ pass }) => pass === false).length
  const isJudged = criteria.some(({ pass }) => pass !== undefined)
  const checkedBy = ({ by, agentId }: CriterionWithVerdict): string => {
    if (by !== 'agent') return t(`by.${by}`)
    return agentId === null ? t('by.reviewer') : t('by.agent', { name: people.nameOf(agentId) })
  }
  return (
    <Section title={t('criteria')} aside={isJudged ? t('summary', { failed, open }) : undefined}>
      <ul className="grid gap-3">
        {criteria.map((one) => (
          <li key={one.text} className="grid gap-1">
            <p className="break-words leading-snug">{one.text}</p>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
              <Outcome pass={one.pass} />
              <span>{checkedBy(one)}</span>
            </p>
            {one.evidence !== '' && <p className="break-words text-muted text-sm">{one.evidence}</p>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Nothing before the delivery. */
function Outcome({ pass }: { pass: boolean | null | undefined }) {
  const t = useTranslations('run.criteriaVerdictPanel')
  if (pass === undefined) return null
  if (pass === null) return <Chip icon={CircleHelp}>{t('lookYourself')}</Chip>
  return pass ? (
    <Chip tone="good" icon={Check}>
      {t('met')}
    </Chip>
  ) : (
    <Chip tone="bad" icon={X}>
      {t('notMet')}
    </Chip>
  )
}
