'use client'
import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '../../_components/ui/button.tsx'
import { Field, Input } from '../../_components/ui/field.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'
import { useTRPC } from '../../_trpc/client.tsx'
import { type NotificationSettingsData, useReloadNotificationSettings } from './use-reload-notification-settings.ts'

/** The person's address: entered, confirmed by a code, and removed. */
export function EmailSetting({ settings }: { settings: NotificationSettingsData }) {
  const t = useTranslations('account.notifications')
  const trpc = useTRPC()
  const onSuccess = useReloadNotificationSettings()
  const set = useMutation(trpc.notifications.setEmail.mutationOptions({ onSuccess }))
  const remove = useMutation(trpc.notifications.removeEmail.mutationOptions({ onSuccess }))
  const [typed, setTyped] = useState('')
  const { email, is_email_confirmed: isConfirmed } = settings
  const error = set.error ?? remove.error
  const isUnsent = set.data !== undefined && !set.data.is_confirmed && !set.data.is_sent
  if (email === null)
    return (
      <form
        className="grid gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          set.mutate({ email: typed.trim() })
        }}
      >
        {set.error && <ProblemNotice error={set.error} />}
        <Field label={t('address')} hint={t('addressHint')}>
          <Input type="email" autoComplete="email" required value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        <Button type="submit" className="justify-self-start" isBusy={set.isPending}>
          {t('sendCode')}
        </Button>
      </form>
    )
  return (
    <div className="grid gap-3">
      {error && <ProblemNotice error={error} />}
      {isUnsent && <Notice kind="bad" title={t('codeNotSent')} />}
      <p className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere font-medium">{email}</span>
        {isConfirmed ? (
          <Chip tone="good" icon={Check}>
            {t('confirmed')}
          </Chip>
        ) : (
          <Chip tone="amber">{t('notConfirmed')}</Chip>
        )}
      </p>
      {!isConfirmed && <CodeForm hasCode={settings.code_expires_at !== null} />}
      <div className="flex flex-wrap gap-2">
        {!isConfirmed && (
          <Button size="small" isBusy={set.isPending} onClick={() => set.mutate({ email })}>
            {t('sendNewCode')}
          </Button>
        )}
        <Button size="small" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {t('removeAddress')}
        </Button>
      </div>
    </div>
  )
}

function CodeForm({ hasCode }: { hasCode: boolean }) {
  const t = useTranslations('account.notifications')
  const trpc = useTRPC()
  const onSuccess = useReloadNotificationSettings()
  const confirm = useMutation(trpc.notifications.confirmEmail.mutationOptions({ onSuccess }))
  const [code, setCode] = useState('')
  if (!hasCode) return <p className="text-muted text-sm">{t('codeExpired')}</p>
  return (
    <form
      className="grid gap-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        confirm.mutate({ code: code.trim() })
      }}
    >
      {confirm.error && <ProblemNotice error={confirm.error} />}
      <Field label={t('code')} hint={t('codeHint')}>
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*[0-9]{6}\s*"
          required
          className="figures max-w-40"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <Button type="submit" tone="primary" className="justify-self-start" isBusy={confirm.isPending}>
        {t('confirmAddress')}
      </Button>
    </form>
  )
}
