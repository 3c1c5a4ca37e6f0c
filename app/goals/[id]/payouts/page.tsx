import type { Metadata } from 'next'
import { EmptyState, Section } from '../../../_components/ui/card.tsx'
import { MoneyIn } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { LedgerTable } from '../../../_money/ledger-table.tsx'
import { PayoutsTable } from '../../../_money/payouts-table.tsx'
import { WaterfallPlot } from '../../../_money/waterfall-plot.tsx'
import { getApi, orNotFound } from '../../../_trpc/server.tsx'
import { currencyOf } from '../../../_views/currency.ts'
import { layWaterfall } from '../../../_views/waterfall.ts'
import { GoalHead } from '../_head/goal-head.tsx'
import { HoldChip } from '../_head/hold-chip.tsx'
import { ProofList } from './proof-list.tsx'

export const metadata: Metadata = { title: 'Money' }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const api = await getApi()
  const money = await orNotFound(api.settlement.getMoney({ goal_id: id }))
  const waterfall = layWaterfall(money.waterfall)
  return (
    <MoneyIn symbol={currencyOf(money.goal.asset)}>
      <GoalHead goal={money.goal} />
      <div className="grid grid-cols-1 gap-10">
        {money.hold.frozenSince && (
          <Notice kind="warning" title="An event of this money could not be booked.">
            The server takes no new action on it until an operator has looked. The contract’s own deadlines still apply.
          </Notice>
        )}
        {money.hold.failure && <Notice kind="bad" title={money.hold.failure} />}
        <Section title="Where the money went" aside={<HoldChip hold={money.hold} goalState={money.goal.state} />}>
          {waterfall.bars.length === 0 ? (
            <EmptyState title="No money has moved">The hold appears here once its money is set aside.</EmptyState>
          ) : (
            <WaterfallPlot waterfall={waterfall} lines={money.waterfall} />
          )}
        </Section>
        {money.payouts.length > 0 && (
          <Section title="Payouts" aside="One row per step and payee">
            <PayoutsTable payouts={money.payouts} isOfOneGoal />
          </Section>
        )}
        <Section title="Ledger" aside="Debits equal credits in each transfer">
          {money.ledger.length === 0 ? (
            <EmptyState title="Nothing is booked yet">
              A row is written when the chain’s log or Stripe shows a transfer, never before.
            </EmptyState>
          ) : (
            <LedgerTable transfers={money.ledger} isOfOneGoal />
          )}
        </Section>
        {money.proof.rail === 'escrow' && (
          <Section title="Proof on chain" aside="Out of the escrow’s own log">
            <ProofList proof={money.proof} />
          </Section>
        )}
      </div>
    </MoneyIn>
  )
}
