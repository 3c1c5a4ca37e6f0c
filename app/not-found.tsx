import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { ReloadAfterSignIn } from './_components/reload-after-sign-in.tsx'
import { ButtonLink } from './_components/ui/button.tsx'
import { PageHead } from './_components/ui/section.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.notFound')
  return { title: t('notFound') }
}

export default function NotFound() {
  const t = useTranslations('shell.notFound')
  return (
    <>
      <ReloadAfterSignIn />
      <PageHead title={t('nothingHere')} lead={t('addressMayMistypedOrBelongsTo')} />
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/goals" tone="primary">
          {t('seeGoals')}
        </ButtonLink>
        <ButtonLink href="/agents">{t('seeAgents')}</ButtonLink>
      </div>
    </>
  )
}
