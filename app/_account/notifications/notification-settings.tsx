'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Link } from '../../_components/ui/link.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card, Skeleton } from '../../_components/ui/section.tsx'
import { useTRPC } from '../../_trpc/client.tsx'
import { EmailSetting } from './email-setting.tsx'
import { EventChoices } from './event-choices.tsx'
import { WebhookSetting } from './webhook-setting.tsx'

/** Where the person gets notifications, and about what. */
export function NotificationSettings() {
  const t = useTranslations('account.notifications')
  const trpc = useTRPC()
  const settings = useQuery(trpc.notifications.getSettings.queryOptions())
  if (settings.error) return <ProblemNotice error={settings.error} />
  if (!settings.data) return <Skeleton className="h-40" />
  const { dead, has_mail_server: hasMailServer } = settings.data
  return (
    <div className="grid gap-4">
      <p className="text-muted text-sm">{t('lead')}</p>
      {dead > 0 && (
        <Notice kind="bad" title={t('notSent', { count: dead })}>
          {t('seeDeliveries')}
        </Notice>
      )}
      <Card className="grid gap-3">
        <h3 className="font-semibold">{t('email')}</h3>
        {!hasMailServer && (
          <p className="text-muted text-sm">
            {t.rich('noMailServer', {
              outbox: (chunks) => (
                <Link href="/account/outbox" className="text-link">
                  {chunks}
                </Link>
              ),
            })}
          </p>
        )}
        <EmailSetting settings={settings.data} />
      </Card>
      <Card className="grid gap-3">
        <h3 className="font-semibold">{t('webhook')}</h3>
        <WebhookSetting settings={settings.data} />
      </Card>
      <Card className="grid gap-3">
        <h3 className="font-semibold">{t('events')}</h3>
        <EventChoices settings={settings.data} />
      </Card>
    </div>
  )
}
