import { MailOpen } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { LinkedText } from '../../_account/notifications/linked-text.tsx'
import { SignInGate } from '../../_components/sign-in-gate.tsx'
import { ButtonLink } from '../../_components/ui/button.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { Card, EmptyState, PageHead } from '../../_components/ui/section.tsx'
import { Time } from '../../_components/ui/time.tsx'
import { getApi, getRequestContext } from '../../_trpc/server.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.outboxPage')
  return { title: t('outbox') }
}

/** The mails to the person on an installation without a mail server. */
export default async function OutboxPage() {
  const t = await getTranslations('account.outboxPage')
  const { actor } = (await getRequestContext()).ctx
  const head = (
    <PageHead
      eyebrow={
        <Link href="/account" className="text-link">
          {t('account')}
        </Link>
      }
      title={t('outbox')}
      lead={t('lead')}
    />
  )
  if (actor.kind !== 'person')
    return (
      <>
        {head}
        <SignInGate title={t('signIn')} reason={t('onlyYours')} />
      </>
    )
  const mails = await (await getApi()).notifications.listOutbox()
  return (
    <>
      {head}
      {mails.length === 0 ? (
        <EmptyState icon={<MailOpen aria-hidden />} title={t('none')} action={<ButtonLink href="/account">{t('settings')}</ButtonLink>}>
          {t('onlyYours')}
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {mails.map(({ id, recipient, subject, text, created_at: at }) => (
            <li key={id}>
              <Card>
                <h2 className="wrap-anywhere font-semibold">{subject}</h2>
                <p className="wrap-anywhere text-muted text-sm">{t.rich('to', { recipient, time: () => <Time at={at} /> })}</p>
                <p className="wrap-anywhere mt-3 whitespace-pre-wrap text-sm">
                  <LinkedText text={text} />
                </p>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
