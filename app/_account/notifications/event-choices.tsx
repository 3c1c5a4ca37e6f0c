'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Checkbox } from '../../_components/ui/field.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { useTRPC } from '../../_trpc/client.tsx'
import { eventLabels } from './event-labels.ts'
import { type NotificationSettingsData, useReloadNotificationSettings } from './use-reload-notification-settings.ts'

type Channel = 'email' | 'webhook'
type InboxEvent = NotificationSettingsData['email_events'][number]
const inboxEvents: readonly InboxEvent[] = ['question', 'approve', 'confirm', 'review', 'submission', 'fund', 'demand']

/** Each event of the inbox, on or off for each channel. A change is saved at once. */
export function EventChoices({ settings }: { settings: NotificationSettingsData }) {
  const t = useTranslations('account.notifications')
  const tEvent = useTranslations('account.notificationEvent')
  const trpc = useTRPC()
  const onSettled = useReloadNotificationSettings()
  // Shown at once. Requests of one scope run in sequence, so the last click wins.
  const [clicked, setClicked] = useState<{ readonly [channel in Channel]?: readonly InboxEvent[] }>({})
  const choose = useMutation(
    trpc.notifications.chooseEvents.mutationOptions({ scope: { id: 'notification-events' }, onSettled, onError: () => setClicked({}) }),
  )
  const chosenOf = (channel: Channel) => clicked[channel] ?? (channel === 'email' ? settings.email_events : settings.webhook_events)
  const toggle = (channel: Channel, event: InboxEvent) => {
    const chosen = chosenOf(channel)
    const events = chosen.includes(event) ? chosen.filter((one) => one !== event) : [...chosen, event]
    setClicked({ ...clicked, [channel]: events })
    choose.mutate({ channel, events })
  }
  return (
    <div>
      {choose.error && <ProblemNotice error={choose.error} className="mb-3" />}
      <div className="divide-y">
        {inboxEvents.map((event) => (
          <fieldset key={event} className="flex flex-wrap items-center gap-x-6 py-1">
            <legend className="sr-only">{tEvent(eventLabels[event])}</legend>
            <span aria-hidden className="min-w-52 flex-1 py-1 text-sm">
              {tEvent(eventLabels[event])}
            </span>
            <span className="flex gap-6 text-sm">
              <Checkbox
                className="items-center"
                label={t('email')}
                checked={chosenOf('email').includes(event)}
                onChange={() => toggle('email', event)}
              />
              <Checkbox
                className="items-center"
                label={t('webhook')}
                checked={chosenOf('webhook').includes(event)}
                onChange={() => toggle('webhook', event)}
              />
            </span>
          </fieldset>
        ))}
      </div>
    </div>
  )
}
