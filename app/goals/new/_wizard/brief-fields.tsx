'use client'
import { useTranslations } from 'next-intl'
import { Checkbox, Field, Textarea } from '../../../_components/ui/field.tsx'
import { type DraftFault, deliverables, type GoalDraft, maxTextLength, toggleDeliverable } from '../../../_views/goal-draft.ts'
import { AttachmentsField } from './attachments-field.tsx'
import { CriteriaEditor } from './criteria-editor.tsx'

export type FieldsProps = {
  draft: GoalDraft
  change: (fields: Partial<GoalDraft>) => void
  errorOf: (field: DraftFault['field']) => string | undefined
}

export function BriefFields({ draft, change, replace, errorOf }: FieldsProps & { replace: (draft: GoalDraft) => void }) {
  const t = useTranslations('post.briefFields')
  const tDraft = useTranslations('views.draft')
  return (
    <>
      <Field label={t('goal')} hint={t('oneOrTwoSentences')} error={errorOf('text')}>
        <Textarea value={draft.text} onChange={(event) => change({ text: event.target.value })} maxLength={maxTextLength} rows={4} />
      </Field>
      <fieldset>
        <legend className="mb-1 font-medium text-sm">{t('whatYouWantToReceive')}</legend>
        <div className="flex flex-wrap gap-x-6">
          {deliverables.map((one) => (
            <Checkbox
              key={one.type}
              label={tDraft(one.label)}
              checked={draft.deliverables.includes(one.type)}
              onChange={() => replace(toggleDeliverable(draft, one.type, tDraft))}
            />
          ))}
        </div>
      </fieldset>
      <CriteriaEditor criteria={draft.criteria} onChange={(criteria) => change({ criteria })} error={errorOf('criteria')} />
      <AttachmentsField
        files={draft.attachments}
        onChange={(attachments) => change({ attachments })}
        readers={draft.attachmentReaders}
        onReaders={(attachmentReaders) => change({ attachmentReaders })}
        error={errorOf('attachments')}
      />
    </>
  )
}
