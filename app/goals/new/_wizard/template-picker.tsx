'use client'
import { useTranslations } from 'next-intl'
import { Button } from '../../../_components/ui/button.tsx'
import { Link } from '../../../_components/ui/link.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'
import { emptyDraft, type GoalDraft } from '../_draft/goal-draft.ts'
import { goalTemplates } from '../_draft/goal-templates.ts'

type Props = { draft: GoalDraft; onPick: (draft: GoalDraft) => void; onStartOver: () => void; repeatError: unknown }

/** Templates. Choosing one replaces the draft. */
export function TemplatePicker({ draft, onPick, onStartOver, repeatError }: Props) {
  const t = useTranslations('post.templatePicker')
  const tTemplates = useTranslations('post.templates')
  const templates = goalTemplates(tTemplates)
  // Over a goal of one's own, the examples would only stand in the way.
  if (draft.text !== '' && !templates.some(({ fields }) => fields.text === draft.text))
    return (
      <div className="flex flex-wrap items-baseline justify-end gap-x-4">
        {repeatError !== null && <ProblemNotice error={repeatError} money={t('noMoneyMoved')} className="mb-4 w-full" />}
        {draft.followsId !== '' && (
          <p className="flex-1 text-sm">
            {t.rich('continues', {
              link: (chunks) => (
                <Link className="text-link" href={`/goals/${draft.followsId}`}>
                  {chunks}
                </Link>
              ),
            })}
          </p>
        )}
        <Button tone="quiet" size="small" onClick={onStartOver}>
          {t('startOver')}
        </Button>
      </div>
    )
  return (
    <fieldset>
      {repeatError !== null && <ProblemNotice error={repeatError} money={t('noMoneyMoved')} className="mb-4" />}
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <legend className="float-left font-medium text-sm">{t('startFromExample')}</legend>
        {draft.text !== '' && (
          <Button tone="quiet" size="small" onClick={onStartOver}>
            {t('startOver')}
          </Button>
        )}
      </div>
      <ul className="grid gap-2 sm:grid-cols-3">
        {templates.map((template) => {
          const isChosen = template.fields.text === draft.text
          return (
            <li key={template.name}>
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => onPick({ ...emptyDraft(draft.id, new Date()), ...template.fields })}
                className="grid h-full w-full content-start gap-1 rounded-md border bg-surface p-3 text-left hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft"
              >
                <span className="font-medium text-sm">{template.name}</span>
                <span className="text-muted text-sm leading-snug">{template.what}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
