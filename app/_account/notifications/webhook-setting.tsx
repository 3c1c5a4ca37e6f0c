'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '../../_components/ui/button.tsx'
import { Confirm } from '../../_components/ui/confirm.tsx'
import { CopyButton } from '../../_components/ui/copy-button.tsx'
import { Field, Input } from '../../_components/ui/field.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { useTRPC } from '../../_trpc/client.tsx'
import { type NotificationSettingsData, useReloadNotificationSettings } from './use-reload-notification-settings.ts'

/** The person's webhook. Its signing secret is shown once, right after it was created. */
export function WebhookSetting({ settings }: { settings: NotificationSettingsData }) {
  const trpc = useTRPC()
  const onChange = useReloadNotificationSettings()
  const [secret, setSecret] = useState<string | null>(null)
  const onSecret = async (made: { readonly secret: string }) => {
    setSecret(made.secret)
    await onChange()
  }
  const set = useMutation(trpc.notifications.setWebhook.mutationOptions({ onSuccess: onSecret }))
  const replace = useMutation(trpc.notifications.replaceSecret.mutationOptions({ onSuccess: onSecret }))
  const remove = useMutation(
    trpc.notifications.removeWebhook.mutationOptions({
      onSuccess: async () => {
        setSecret(null)
        await onChange()
      },
    }),
  )
  const error = set.error ?? replace.error ?? remove.error
  const { webhook_url: url } = settings
  return (
    <div className="grid gap-3">
      {error && <ProblemNotice error={error} />}
      {secret !== null && url !== null && <SecretOnce secret={secret} />}
      {url === null ? (
        <UrlForm isBusy={set.isPending} onSave={(typed) => set.mutate({ url: typed })} />
      ) : (
        <SavedWebhook
          url={url}
          isBusy={replace.isPending || remove.isPending}
          onReplace={() => replace.mutate()}
          onRemove={() => remove.mutate()}
        />
      )}
    </div>
  )
}

function UrlForm({ isBusy, onSave }: { isBusy: boolean; onSave: (url: string) => void }) {
  const t = useTranslations('account.notifications')
  const [typed, setTyped] = useState('')
  return (
    <form
      className="grid gap-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onSave(typed.trim())
      }}
    >
      <Field label={t('url')} hint={t('urlHint')}>
        <Input type="url" autoComplete="off" required value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <Button type="submit" className="justify-self-start" isBusy={isBusy}>
        {t('saveWebhook')}
      </Button>
    </form>
  )
}

function SecretOnce({ secret }: { secret: string }) {
  const t = useTranslations('account.notifications')
  return (
    <Notice kind="warning" title={t('secretOnce')}>
      <p>{t('secretUse')}</p>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <code className="figures break-all rounded-sm border border-amber bg-surface px-2 py-1 text-ink">{secret}</code>
        <CopyButton text={secret} label={t('copySecret')} />
      </p>
    </Notice>
  )
}

type SavedProps = { url: string; isBusy: boolean; onReplace: () => void; onRemove: () => void }

function SavedWebhook({ url, isBusy, onReplace, onRemove }: SavedProps) {
  const t = useTranslations('account.notifications')
  const trpc = useTRPC()
  const onSettled = useReloadNotificationSettings()
  const test = useMutation(trpc.notifications.sendTest.mutationOptions({ onSettled }))
  const [asked, setAsked] = useState<'replace' | 'remove' | null>(null)
  return (
    <>
      <p className="wrap-anywhere figures text-sm">{url}</p>
      {test.error && <ProblemNotice error={test.error} />}
      {test.data && (
        <Notice
          kind={test.data.error === null ? 'good' : 'bad'}
          title={test.data.error === null ? t('testAnswered', { status: test.data.status ?? 0 }) : t('testFailed')}
        >
          {test.data.error}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" isBusy={test.isPending} onClick={() => test.mutate()}>
          {t('sendTest')}
        </Button>
        <Button size="small" isBusy={isBusy} onClick={() => setAsked('replace')}>
          {t('replaceSecret')}
        </Button>
        <Button size="small" isBusy={isBusy} onClick={() => setAsked('remove')}>
          {t('removeWebhook')}
        </Button>
      </div>
      <Confirm
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === 'remove' ? t('removeQuestion') : t('replaceQuestion')}
        description={asked === 'remove' ? t('removeEffect') : t('replaceEffect')}
        yes={asked === 'remove' ? t('removeWebhook') : t('replaceSecret')}
        onYes={asked === 'remove' ? onRemove : onReplace}
      />
    </>
  )
}
