'use client'
import { CircleAlert, Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button, IconButton } from '../../../_components/ui/button.tsx'
import { Input } from '../../../_components/ui/field.tsx'
import type { Quote } from '../../../_quote/use-request-quote.ts'
import { maxCriterionLength } from '../_draft/goal-draft.ts'

type Props = {
  criteria: readonly string[]
  suggested: readonly string[]
  /** Who checks each criterion, by its text. */
  checkers: Quote['checkers']
  onChange: (criteria: readonly string[]) => void
  error: string | undefined
}

/** The acceptance criteria, one line each. */
export function CriteriaEditor({ criteria, suggested, checkers, onChange, error }: Props) {
  const t = useTranslations('post.criteriaEditor')
  const set = (index: number, text: string) => onChange(criteria.map((one, at) => (at === index ? text : one)))
  return (
    <fieldset>
      <legend className="font-medium text-sm">{t('doneWhen')}</legend>
      <p className="mb-2 text-muted text-sm">{t('writeWhatCanChecked')}</p>
      {suggested.length > 0 && criteria.every((text) => text.trim() === '') && (
        <div className="mb-2 text-sm">
          {t('suggested')}
          <ul className="list-disc pl-5">
            {suggested.map((text) => (
              <li key={text}>
                {text} <CheckedBy checker={checkers.find((one) => one.text === text)} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <ol className="grid gap-2">
        {criteria.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity while they are written
          <li key={index} className="flex items-center gap-2">
            <div className="min-w-0 flex-1">
              <Input
                value={text}
                aria-label={t('criterion', { index: index + 1 })}
                maxLength={maxCriterionLength}
                onChange={(event) => set(index, event.target.value)}
                {...(error && text.trim() === '' && { 'aria-invalid': true })}
              />
              <CheckedBy checker={checkers.find((one) => one.text === text.trim())} />
            </div>
            <IconButton
              label={t('removeCriterion', { index: index + 1 })}
              disabled={criteria.length === 1}
              onClick={() => onChange(criteria.filter((_, at) => at !== index))}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
      <div className="mt-2 flex flex-wrap items-center gap-4">
        <Button size="small" disabled={criteria.length >= 20} onClick={() => onChange([...criteria, ''])}>
          <Plus aria-hidden /> {t('addCriterion')}
        </Button>
        <p aria-live="polite" className="flex items-center gap-1.5 text-bad-ink text-sm empty:hidden">
          {error && (
            <>
              <CircleAlert aria-hidden className="size-4" /> {error}
            </>
          )}
        </p>
      </div>
    </fieldset>
  )
}

/** Nothing while the criterion has not been read. */
function CheckedBy({ checker }: { checker: Quote['checkers'][number] | undefined }) {
  const t = useTranslations('post.criteriaEditor')
  if (!checker) return null
  return <span className="text-muted text-sm">{t(`by.${checker.by}`, { name: checker.agentName ?? '' })}</span>
}
