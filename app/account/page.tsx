import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { NotesKeptByAgents } from '../_account/notes-kept-by-agents.tsx'
import { DeliveryLog } from '../_account/notifications/delivery-log.tsx'
import { NotificationSettings } from '../_account/notifications/notification-settings.tsx'
import { Sessions } from '../_account/sessions.tsx'
import { WalletBalance } from '../_account/wallet-balance.tsx'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { CopyableAddress, CopyableIdentifier } from '../_components/ui/copyable-identifier.tsx'
import { Card, PageHead, Section } from '../_components/ui/section.tsx'
import { getQueryClient, getRequestContext, Hydrated, trpc } from '../_trpc/server.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.accountPage')
  return { title: t('account') }
}

export default async function AccountPage() {
  const t = await getTranslations('account.accountPage')
  const { actor, market } = (await getRequestContext()).ctx
  if (actor.kind !== 'person') {
    return (
      <>
        <PageHead title={t('account')} />
        <SignInGate title={t('youNotSignedIn')} reason={t('yourWalletYourAccountHere')} />
      </>
    )
  }
  const queries = getQueryClient()
  await Promise.all([
    queries.prefetchQuery(trpc.market.getBalance.queryOptions()),
    queries.prefetchQuery(trpc.identity.listSessions.queryOptions()),
    queries.prefetchQuery(trpc.memory.read.queryOptions()),
    queries.prefetchQuery(trpc.notifications.getSettings.queryOptions()),
    queries.prefetchQuery(trpc.notifications.list.queryOptions()),
  ])
  return (
    <Hydrated>
      <PageHead title={t('account')} />
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-10">
          <Section title={t('money')}>
            <WalletBalance />
          </Section>
          <Section title={t('notifications')} id="notifications">
            <NotificationSettings />
          </Section>
          <Section title={t('deliveries')} aside={t('lastDeliveries')}>
            <DeliveryLog />
          </Section>
          <Section title={t('whereYouSignedIn')}>
            <Sessions />
          </Section>
          <Section title={t('agentsNotesAboutYou')}>
            <NotesKeptByAgents />
          </Section>
        </div>
        <Section title={t('wallet')}>
          <Card>
            <dl className="grid gap-4 text-sm">
              <div>
                <dt className="caption">{t('address')}</dt>
                <dd>
                  <CopyableAddress address={actor.address} />
                </dd>
              </div>
              <div className="min-w-0">
                <dt className="caption">{t('identity')}</dt>
                <dd>
                  <CopyableIdentifier text={actor.did} />
                </dd>
              </div>
              <div>
                <dt className="caption">{t('chain')}</dt>
                <dd>
                  {market.isLocalChain ? t('localTestChain') : t('chain')} <span className="figures">{market.chainId}</span>
                </dd>
              </div>
            </dl>
          </Card>
        </Section>
      </div>
    </Hydrated>
  )
}
