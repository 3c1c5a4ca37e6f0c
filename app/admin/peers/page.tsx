import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { Section } from '../../_components/ui/section.tsx'
import { getApi } from '../../_trpc/server.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { PeerForm } from './peer-form.tsx'
import { PeerList } from './peer-list.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('admin.peersPage')
  return { title: t('peers') }
}

export default function Page() {
  const t = useTranslations('admin.peersPage')
  return (
    <OperatorPage
      title={t('peers')}
      lead={t('otherInstallationsWhoseRegistries')}
      body={async (ctx) => {
        const { federation } = await getApi()
        const { publicUrl, serverDid } = ctx.market
        return (
          <>
            <Section title={t('readByMarket')} aside={t('everyMinute')}>
              <PeerList peers={await federation.listPeers()} />
            </Section>
            <Section title={t('addPeer')} className="mt-10">
              <PeerForm />
            </Section>
            <p className="mt-10 max-w-prose text-muted text-sm">
              {t.rich('forTheirOperators', {
                origin: () => <span className="figures break-all">{new URL(publicUrl).origin}</span>,
                key: () => <span className="figures break-all">{serverDid}</span>,
              })}
            </p>
          </>
        )
      }}
    />
  )
}
