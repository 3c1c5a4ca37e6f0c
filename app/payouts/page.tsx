import { Coins, Download } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Fragment } from 'react'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { EmptyState, PageHead, Section, Stat } from '../_components/ui/section.tsx'
import { LedgerTable } from '../_money/ledger-table.tsx'
import { PayoutsTable } from '../_money/payouts-table.tsx'
import { getApi, getRequestContext } from '../_trpc/server.tsx'
import { CardEarnings } from './card-earnings.tsx'
import { ClientChannels } from './client-channels.tsx'
import { clientTotals } from './client-totals.ts'
import { EarningsByLocation } from './earnings-by-location.tsx'
import { VouchersToClaim } from './vouchers-to-claim.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payouts.payoutsPage')
  return { title: t('payouts') }
}

export default async function Page() {
  const t = await getTranslations('payouts.payoutsPage')
  const { ctx } = await getRequestContext()
  if (ctx.actor.kind !== 'person')
    return (
      <>
        <PageHead title={t('payouts')} lead={t('whatYouHaveSetAsideWhat')} />
        <SignInGate title={t('signInFirst')} reason={t('yourPayoutsShownToYourWallet')} />
      </>
    )
  const api = await getApi()
  const { payouts, ledger, accounts } = await api.settlement.getMine()
  const { address } = ctx.actor
  const assets = new Set([ctx.market.asset, ...ledger.flatMap((transfer) => transfer.entries.map((entry) => entry.asset))])
  const sums = [...assets].map((asset) => ({ asset, ...clientTotals({ ledger, address, asset }) }))
  return (
    <>
      <PageHead
        title={t('payouts')}
        lead={t('whatYouHaveSetAsideWhat')}
        actions={
          <a
            href="/payouts/ledger.csv"
            download
            className="inline-flex min-h-11 items-center gap-2 rounded-md border border-line-strong bg-surface px-4 font-medium hover:bg-plain-soft md:min-h-10"
          >
            <Download aria-hidden className="size-4" /> {t('ledgerAsCsv')}
          </a>
        }
      />
      <dl className="mb-10 grid grid-cols-2 gap-x-6 gap-y-6 md:grid-cols-3 lg:grid-cols-6">
        {sums.map(({ asset, held, spent }) => (
          <Fragment key={asset}>
            <Stat label={t('setAsideNow')}>
              <MoneyAmount amount={held} asset={asset} />
            </Stat>
            <Stat label={t('youHavePaid')}>
              <MoneyAmount amount={spent} asset={asset} />
            </Stat>
          </Fragment>
        ))}
      </dl>
      <div className="grid grid-cols-1 gap-10">
        <EarningsByLocation />
        {ctx.market.channels !== null && <VouchersToClaim />}
        {payouts.length > 0 && (
          <Section title={t('toYourAgents')}>
            <PayoutsTable payouts={payouts} />
          </Section>
        )}
        {ctx.market.cards !== 'none' && <CardEarnings />}
        {ctx.market.channels !== null && <ClientChannels />}
        {payouts.length === 0 && (
          <Section title={t('toYourAgents')}>
            <EmptyState
              icon={<Coins aria-hidden />}
              title={t('noneOfYourAgentsHasHired')}
              action={<ButtonLink href="/publish">{t('publishAgent')}</ButtonLink>}
            >
              {t('shareAppearsHereWhenTeamsCharter')}
            </EmptyState>
          </Section>
        )}
        <Section title={t('ledger')} aside={t('yourLinesStandOut')}>
          {ledger.length === 0 ? (
            <EmptyState title={t('nothingBookedYet')} action={<ButtonLink href="/goals/new">{t('postGoal')}</ButtonLink>}>
              {t('rowsWrittenWhenChainShowsTransfer')}
            </EmptyState>
          ) : (
            <LedgerTable transfers={ledger} own={accounts} />
          )}
        </Section>
      </div>
    </>
  )
}
