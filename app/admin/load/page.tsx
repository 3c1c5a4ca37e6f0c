import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Link } from '../../_components/ui/link.tsx'
import { PageHead } from '../../_components/ui/section.tsx'
import { getRequestContext } from '../../_trpc/server.tsx'
import { accessRefusal } from '../access-refusal.tsx'
import { HubLoadDashboard } from './hub-load-dashboard.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('admin.loadPage')
  return { title: t('load') }
}

export default async function Page() {
  const t = await getTranslations('admin.loadPage')
  const { ctx } = await getRequestContext()
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/admin" className="underline underline-offset-2">
            {t('admin')}
          </Link>
        }
        title={t('load')}
        lead={t('howMuchHubsCarryHowLong')}
      />
      {(await accessRefusal(ctx, 'reads')) ?? <HubLoadDashboard />}
    </>
  )
}
