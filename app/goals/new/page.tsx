import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { PageHead } from '../../_components/ui/section.tsx'
import { Wizard } from './_wizard/wizard.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('post.newPage')
  return { title: t('postGoal') }
}

export default function Page() {
  const t = useTranslations('post.newPage')
  return (
    <>
      <PageHead eyebrow={t('postGoal')} title={t('whatDoYouWantDone')} lead={t('sayInPlainWordsSayHow')} />
      <Wizard />
    </>
  )
}
