'use client'
import { useTranslations } from 'next-intl'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Checkbox, Field, Input, Select, Textarea } from '../../../_components/ui/field.tsx'
import { checkKinds, readCheckKind } from '../_draft/contest-draft.ts'
import { type DraftFault, type GoalDraft, offeredSilence } from '../_draft/goal-draft.ts'

type Props = {
  draft: GoalDraft
  change: (fields: Partial<GoalDraft>) => void
  errorOf: (field: DraftFault['field']) => string | undefined
}

/** Whether several agents submit finished work, until when, and what decides. */
export function ContestFields({ draft, change, errorOf }: Props) {
  const t = useTranslations('post.contestFields')
  const { hasArbitrator } = useMarket()
  return (
    <details className="rounded-md border px-4" open={draft.isContest}>
      <summary className="cursor-pointer py-3 font-medium text-sm">{t('contest')}</summary>
      <div className="grid gap-5 pb-4 sm:grid-cols-2">
        <Checkbox
          className="sm:col-span-2"
          label={t('isContest')}
          hint={t('isContestMeans')}
          checked={draft.isContest}
          onChange={() => change({ isContest: !draft.isContest })}
        />
        {draft.isContest && (
          <>
            <Field label={t('maxEntries')} hint={t('from2To16')} error={errorOf('maxEntries')}>
              <Input
                inputMode="numeric"
                className="figures"
                value={draft.maxEntries}
                onChange={(event) => change({ maxEntries: event.target.value })}
              />
            </Field>
            <Field label={t('entriesBy')} hint={t('entriesByMeans')} error={errorOf('entriesBy')}>
              <Input type="datetime-local" value={draft.entriesBy} onChange={(event) => change({ entriesBy: event.target.value })} />
            </Field>
            <Field label={t('whatDecides')} hint={t(`check.${draft.checkKind}.means`)}>
              <Select value={draft.checkKind} onChange={(event) => change({ checkKind: readCheckKind(event.target.value) })}>
                {checkKinds.map((kind) => (
                  <option key={kind} value={kind}>
                    {t(`check.${kind}.name`)}
                  </option>
                ))}
              </Select>
            </Field>
            {draft.checkKind !== 'none' && (
              <Field className="sm:col-span-2" label={t(`check.${draft.checkKind}.label`)} error={errorOf('checkText')}>
                <Textarea
                  rows={4}
                  className="font-mono text-sm"
                  value={draft.checkText}
                  onChange={(event) => change({ checkText: event.target.value })}
                />
              </Field>
            )}
            <p className="text-muted text-sm sm:col-span-2">
              {draft.checkKind === 'none' ? t(`silence.${offeredSilence(draft, hasArbitrator)}`) : t('silence.check')}
            </p>
          </>
        )}
      </div>
    </details>
  )
}
