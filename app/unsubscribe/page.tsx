import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { UnsubscribeForm } from '../_account/notifications/unsubscribe-form.tsx'
import { PageHead } from '../_components/ui/section.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.unsubscribePage')
  // The address contains a token, which no other site is to receive.
  return { title: t('unsubscribe'), referrer: 'no-referrer', robots: { index: false } }
}

/** Where the link of a mail leads. It needs no login, and changes nothing until the button is pressed. */
export default async function UnsubscribePage({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const t = await getTranslations('account.unsubscribePage')
  const { token } = await searchParams
  return (
    <>
      <PageHead title={t('unsubscribe')} lead={t('lead')} />
      <UnsubscribeForm token={typeof token === 'string' ? token : ''} />
    </>
  )
}
