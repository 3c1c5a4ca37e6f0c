'use client'
import { Check, CircleHelp, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Section } from '../../../_components/ui/card.tsx'
import { Chip } from '../../../_components/ui/chip.tsx'
import { useFileText } from '../../../_components/ui/file-preview.tsx'
import { newestVerdict, readVerdict } from '../../../_views/read-verdict.ts'

/** The acceptance criteria, each with the reviewer's verdict if there is one. */
export function VerdictPanel({ run }: { run: Run }) {
  const t = useTranslations('run.verdictPanel')
  const file = newestVerdict(run.artifacts)
  const { data } = useFileText(file ? `/api/artifacts/${run.goal.id}/${file.sha256}` : null)
  const verdict = data === undefined ? null : readVerdict(data)
  const words = verdict?.criteria ?? run.goal.criteria.map((one) => ({ text: one.text, pass: undefined, evidence: '' }))
  return (
    <Section title={t('criteria')} aside={verdict ? (verdict.pass ? t('reviewerContent') : t('reviewerObjects')) : undefined}>
      <ul className="grid gap-3">
        {words.map((word) => (
          <li key={word.text} className="grid gap-1">
            <p className="leading-snug">{word.text}</p>
            {word.pass !== undefined && (
              <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
                {word.pass === null ? (
                  <Chip icon={CircleHelp}>{t('lookYourself')}</Chip>
                ) : word.pass ? (
                  <Chip tone="good" icon={Check}>
                    {t('met')}
                  </Chip>
                ) : (
                  <Chip tone="bad" icon={X}>
                    {t('notMet')}
                  </Chip>
                )}
                {word.evidence}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
