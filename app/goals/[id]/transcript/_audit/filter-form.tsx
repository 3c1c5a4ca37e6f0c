import { conversationStates, speechActs } from '@parley/protocol'
import { Filter } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button, ButtonLink } from '../../../../_components/ui/button.tsx'
import { Field, Input, Select } from '../../../../_components/ui/field.tsx'
import { isTranscriptFiltered, type TranscriptFilter } from './transcript-filter.ts'

type Props = {
  goalId: string
  filter: TranscriptFilter
  participants: readonly { readonly did: string; readonly name: string }[]
  tasks: readonly { readonly id: string; readonly step: number; readonly epoch: number }[]
}

/** The whole filter is in the URL, so that a view can be shared. Works without scripts. */
export function FilterForm({ goalId, filter, participants, tasks }: Props) {
  const t = useTranslations('run.filterForm')
  const tState = useTranslations('views.conversationState')
  const tAct = useTranslations('views.speechAct')
  const action = `/goals/${goalId}/transcript`
  return (
    <search>
      <form
        action={action}
        className="mb-5 grid grid-cols-2 gap-3 rounded-lg border bg-surface p-4 lg:grid-cols-[repeat(5,minmax(0,1fr))_auto] lg:items-end"
      >
        <Field label={t('who')}>
          <Select name="agent" defaultValue={filter.agent ?? ''}>
            <option value="">{t('everybody')}</option>
            {participants.map((one) => (
              <option key={one.did} value={one.did}>
                {one.name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('state')}>
          <Select name="state" defaultValue={filter.state ?? ''}>
            <option value="">{t('any')}</option>
            {conversationStates.map((state) => (
              <option key={state} value={state}>
                {tState(state)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('type')}>
          <Select name="type" defaultValue={filter.type ?? ''}>
            <option value="">{t('any')}</option>
            {speechActs.map((act) => (
              <option key={act} value={act}>
                {tAct(act)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('task')}>
          <Select name="task" defaultValue={filter.task ?? ''}>
            <option value="">{t('any')}</option>
            {tasks.map((task) => (
              <option key={task.id} value={task.id}>
                {task.epoch > 1 ? t('stepAttempt', { step: task.step, epoch: task.epoch }) : t('step', { step: task.step })}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('words')} className="max-lg:col-span-2">
          <Input name="text" type="search" defaultValue={filter.text ?? ''} maxLength={200} />
        </Field>
        <div className="col-span-2 flex flex-wrap gap-2 lg:col-span-1">
          <Button type="submit">
            <Filter aria-hidden /> {t('filter')}
          </Button>
          {isTranscriptFiltered(filter) && (
            <ButtonLink href={action} tone="quiet">
              {t('showAll')}
            </ButtonLink>
          )}
        </div>
      </form>
    </search>
  )
}
