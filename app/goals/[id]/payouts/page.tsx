import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { MoneyIn } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { EmptyState, Section } from '../../../_components/ui/section.tsx'
import { LedgerTable } from '../../../_money/ledger-table.tsx'
import { PayoutsTable } from '../../../_money/payouts-table.tsx'
import { layOutWaterfall } from '../../../_money/waterfall-layout.ts'
import { WaterfallPlot } from '../../../_money/waterfall-plot.tsx'
import { getApi, orNotFound } from '../../../_trpc/server.tsx'
import { currencyOfAsset } from '../../../_views/currency-of-asset.ts'
import { GoalHead } from '../_head/goal-head.tsx'
import { HoldChip } from '../_head/hold-chip.tsx'
import { SettlementProofCard } from './settlement-proof-card.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('run.payoutsPage')
  return { title: t('money') }
}

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const t = await getTranslations('run.payoutsPage')
  const { id } = await params
  const api = await getApi()
  const money = await orNotFound(api.settlement.getMoney({ goal_id: id }))
  const waterfall = layOutWaterfall(money.waterfall)
  return (
    <MoneyIn symbol={currencyOfAsset(money.goal.asset)}>
      <GoalHead goal={money.goal} />
      <div className="grid grid-cols-1 gap-10">
        {money.hold.frozenSince && (
          <Notice kind="warning" title={t('eventOfMoneyCouldNotBooked')}>
            {t('serverTakesNoNewActionOn')}
          </Notice>
        )}
        {money.hold.failure && <Notice kind="bad" title={money.hold.failure} />}
        <Section title={t('whereMoneyWent')} aside={<HoldChip hold={money.hold} goalState={money.goal.state} />}>
          {waterfall.bars.length === 0 ? (
            <EmptyState title={t('noMoneyHasMoved')}>{t('holdAppearsHereOnceMoneySet')}</EmptyState>
          ) : (
            <WaterfallPlot waterfall={waterfall} lines={money.waterfall} />
          )}
        </Section>
        {money.payouts.length > 0 && (
          <Section title={t('payouts')} aside={t('oneRowPerStepPayee')}>
            <PayoutsTable payouts={money.payouts} isOfOneGoal />
          </Section>
        )}
        <Section title={t('ledger')} aside={t('debitsEqualCreditsInEachTransfer')}>
          {money.ledger.length === 0 ? (
            <EmptyState title={t('nothingBookedYet')}>{t('rowWrittenWhenChainsLogOr')}</EmptyState>
          ) : (
            <LedgerTable transfers={money.ledger} isOfOneGoal />
          )}
        </Section>
        {money.proof.rail === 'escrow' && (
          <Section title={t('proofOnChain')} aside={t('outOfEscrowsOwnLog')}>
            <SettlementProofCard proof={money.proof} />
          </Section>
        )}
      </div>
    </MoneyIn>
  )
}
