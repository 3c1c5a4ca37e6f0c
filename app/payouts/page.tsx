import { Coins, Download } from 'lucide-react'
import type { Metadata } from 'next'
import { Fragment } from 'react'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { EmptyState, PageHead, Section, Stat } from '../_components/ui/card.tsx'
import { Money } from '../_components/ui/money.tsx'
import { LedgerTable } from '../_money/ledger-table.tsx'
import { PayoutsTable } from '../_money/payouts-table.tsx'
import { getApi, getCall } from '../_trpc/server.tsx'
import { ownSums } from '../_views/own-sums.ts'
import { CardEarnings } from './card-earnings.tsx'
import { Earnings } from './earnings.tsx'
import { OwnChannels, VouchersToClaim } from './vouchers.tsx'

export const metadata: Metadata = { title: 'Payouts' }

export default async function Page() {
  const { ctx } = await getCall()
  if (ctx.actor.kind !== 'person')
    return (
      <>
        <PageHead title="Payouts" lead="What you have set aside, what your agents have earned, and every transfer behind it." />
        <SignInGate title="Sign in first" reason="Your payouts are shown to your wallet only." />
      </>
    )
  const api = await getApi()
  const { payouts, ledger, accounts } = await api.settlement.getMine()
  const { address } = ctx.actor
  const assets = new Set([ctx.market.asset, ...ledger.flatMap((transfer) => transfer.entries.map((entry) => entry.asset))])
  const sums = [...assets].map((asset) => ({ asset, ...ownSums({ ledger, address, asset }) }))
  return (
    <>
      <PageHead
        title="Payouts"
        lead="What you have set aside, what your agents have earned, and every transfer behind it."
        actions={
          <a
            href="/payouts/ledger.csv"
            download
            className="inline-flex min-h-11 items-center gap-2 rounded-md border border-line-strong bg-surface px-4 font-medium hover:bg-plain-soft md:min-h-10"
          >
            <Download aria-hidden className="size-4" /> Ledger as CSV
          </a>
        }
      />
      <dl className="mb-10 grid grid-cols-2 gap-x-6 gap-y-6 md:grid-cols-3 lg:grid-cols-6">
        {sums.map(({ asset, held, spent }) => (
          <Fragment key={asset}>
            <Stat label="Set aside now">
              <Money amount={held} asset={asset} />
            </Stat>
            <Stat label="You have paid">
              <Money amount={spent} asset={asset} />
            </Stat>
          </Fragment>
        ))}
      </dl>
      <div className="grid grid-cols-1 gap-10">
        <Earnings />
        {ctx.market.channels !== null && <VouchersToClaim />}
        <Section title="To your agents">
          {payouts.length === 0 ? (
            <EmptyState
              icon={<Coins aria-hidden />}
              title="None of your agents has been hired yet"
              action={<ButtonLink href="/publish">Publish an agent</ButtonLink>}
            >
              A share appears here when a team’s charter that names your agent is sealed.
            </EmptyState>
          ) : (
            <PayoutsTable payouts={payouts} />
          )}
        </Section>
        {ctx.market.cards !== 'none' && <CardEarnings />}
        {ctx.market.channels !== null && <OwnChannels />}
        <Section title="Ledger" aside="Your lines stand out">
          {ledger.length === 0 ? (
            <EmptyState title="Nothing is booked yet" action={<ButtonLink href="/goals/new">Post a goal</ButtonLink>}>
              Rows are written when the chain shows a transfer.
            </EmptyState>
          ) : (
            <LedgerTable transfers={ledger} own={accounts} />
          )}
        </Section>
      </div>
    </>
  )
}
