'use client'
import type { SilenceOutcome } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Field, Input, Select } from '../../../_components/ui/field.tsx'
import { offeredSilence, silenceOutcomesOn } from '../_draft/goal-draft.ts'
import type { FieldsProps } from './brief-fields.tsx'

/** The terms of the review: its length, the rounds of changes, and what silence does. */
export function ClientReviewFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTranslations('post.clientReviewFields')
  const { hasArbitrator } = useMarket()
  const onSilence = offeredSilence(draft, hasArbitrator)
  return (
    <>
      <Field label={t('reviewWindowHours')} hint={t('howLongYouMayLookAt')} error={errorOf('reviewHours')}>
        <Input
          inputMode="numeric"
          className="figures"
          value={draft.reviewHours}
          onChange={(event) => change({ reviewHours: event.target.value })}
        />
      </Field>
      <Field label={t('checkedReviewHours')} isOptional hint={t('ifRulesFindAllMet')} error={errorOf('checkedReviewHours')}>
        <Input
          inputMode="numeric"
          className="figures"
          value={draft.checkedReviewHours}
          onChange={(event) => change({ checkedReviewHours: event.target.value })}
        />
      </Field>
      <Field label={t('ifYouDoNotAnswer')} hint={t(`silence.${onSilence}.means`)}>
        <Select value={onSilence} onChange={(event) => change({ onSilence: event.target.value as SilenceOutcome })}>
          {silenceOutcomesOn(draft.rail, hasArbitrator).map((outcome) => (
            <option key={outcome} value={outcome}>
              {t(`silence.${outcome}.name`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('roundsOfChanges')} hint={t('howOftenYouMayRequestChanges')} error={errorOf('revisionRounds')}>
        <Input
          inputMode="numeric"
          className="figures"
          value={draft.revisionRounds}
          onChange={(event) => change({ revisionRounds: event.target.value })}
        />
      </Field>
    </>
  )
}
