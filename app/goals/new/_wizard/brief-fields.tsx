'use client'
import { useTranslations } from 'next-intl'
import { Field, Textarea } from '../../../_components/ui/field.tsx'
import { GivenValueList } from '../../../_quote/missing-input-form.tsx'
import { WrittenFirst } from '../../../_quote/suggested-readings.tsx'
import type { QuoteState } from '../../../_quote/use-request-quote.ts'
import { type DraftFault, type GoalDraft, maxTextLength } from '../_draft/goal-draft.ts'
import { AttachmentsField } from './attachments-field.tsx'
import { ContestFields } from './contest-fields.tsx'
import { CriteriaEditor } from './criteria-editor.tsx'
import { suggestedCriteria } from './draft-posting-mode.ts'
import { QuotePanel } from './quote-panel.tsx'

export type FieldsProps = {
  draft: GoalDraft
  change: (fields: Partial<GoalDraft>) => void
  errorOf: (field: DraftFault['field']) => string | undefined
}

export function BriefFields({ draft, change, errorOf, quote }: FieldsProps & { quote: QuoteState }) {
  const t = useTranslations('post.briefFields')
  return (
    <>
      <Field label={t('goal')} hint={t('oneOrTwoSentences')} error={errorOf('text')}>
        <Textarea value={draft.text} onChange={(event) => change({ text: event.target.value })} maxLength={maxTextLength} rows={4} />
      </Field>
      {draft.originalText !== '' && (
        <WrittenFirst text={draft.originalText} onRestore={() => change({ text: draft.originalText, originalText: '' })} />
      )}
      <AttachmentsField
        files={draft.attachments}
        onChange={(attachments) => change({ attachments })}
        readers={draft.attachmentReaders}
        onReaders={(attachmentReaders) => change({ attachmentReaders })}
        error={errorOf('attachments')}
      />
      <GivenValueList values={draft.values} onRemove={() => change({ values: [] })} />
      <QuotePanel state={quote} draft={draft} change={change} />
      <CriteriaEditor
        criteria={draft.criteria}
        suggested={suggestedCriteria(quote)}
        checkers={quote.quote?.checkers ?? []}
        onChange={(criteria) => change({ criteria })}
        error={errorOf('criteria')}
      />
      <ContestFields draft={draft} change={change} errorOf={errorOf} />
    </>
  )
}
