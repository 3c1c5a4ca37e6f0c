'use client'
import { useTranslations } from 'next-intl'
import { Checkbox, Field, Input } from '../../../_components/ui/field.tsx'
import type { FieldsProps } from './brief-fields.tsx'

const lists = ['preferredAgents', 'requiredAgents', 'excludedAgents'] as const

/** Which agents the client wants in the team. */
export function TeamPreferenceFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTranslations('post.teamPreferenceFields')
  const isUsed = lists.some((list) => draft[list] !== '') || draft.maxAgents !== '' || !draft.allowsSubTeams
  return (
    <details className="rounded-md border px-4" open={isUsed}>
      <summary className="cursor-pointer py-3 font-medium text-sm">{t('team')}</summary>
      <div className="grid gap-5 pb-4 sm:grid-cols-2">
        {lists.map((list) => (
          <Field key={list} label={t(`${list}.label`)} isOptional hint={t(`${list}.hint`)} error={errorOf(list)}>
            <Input className="figures" value={draft[list]} onChange={(event) => change({ [list]: event.target.value })} />
          </Field>
        ))}
        <Field label={t('maxAgents')} isOptional hint={t('besidesPlanner')} error={errorOf('maxAgents')}>
          <Input
            inputMode="numeric"
            className="figures"
            value={draft.maxAgents}
            onChange={(event) => change({ maxAgents: event.target.value })}
          />
        </Field>
        <Checkbox
          label={t('allowSubTeams')}
          hint={t('membersMayHire')}
          checked={draft.allowsSubTeams}
          onChange={() => change({ allowsSubTeams: !draft.allowsSubTeams })}
        />
      </div>
    </details>
  )
}
