import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { TxLink } from '../../../../_components/ui/copyable-identifier.tsx'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import { StackedBar } from '../../../../_components/ui/stacked-bar.tsx'
import { HoldChip } from '../../_head/hold-chip.tsx'
import type { RunView } from '../run-view.ts'
import { holdBreakdown } from './hold-breakdown.ts'

type Hold = {
  readonly rail: 'escrow' | 'stripe'
  readonly state: string
  readonly isSigned: boolean
  readonly feeBps: number
  readonly fundedTx: string | null
  readonly settledTx: string | null
}

/** The parts of the hold: earned, reserved, refundable. Their sum is always the hold. `action`: what the client can change. */
export function BudgetPanel({ view, hold, action }: { view: RunView; hold: Hold; action: ReactNode }) {
  const t = useTranslations('run.budgetPanel')
  const { total, earned, reserved, refundable, isSettled } = holdBreakdown(view)
  const isHeld = hold.fundedTx !== null
  // Before the payment, there is nothing to divide or to refund.
  if (!isHeld && (isSettled || view.goal.state === 'funding'))
    return (
      <Section title={t('budget')} aside={<HoldChip hold={hold} goalState={view.goal.state} />}>
        <p className="flex items-baseline justify-between gap-4 text-sm">{t.rich('to', { money: () => <MoneyAmount amount={total} /> })}</p>
      </Section>
    )
  const lines = [
    { name: 'earned', label: isSettled ? t('paid') : t('earned'), value: earned, tone: 'good', mark: 'bg-good' },
    { name: 'reserved', label: t('reserved'), value: reserved, tone: 'amber', mark: 'bg-amber' },
    { name: 'refundable', label: isSettled ? t('refunded') : t('refundable'), value: refundable, tone: 'plain', mark: 'bg-line-strong' },
  ] as const
  return (
    <Section title={t('budget')} aside={<HoldChip hold={hold} goalState={view.goal.state} />}>
      <StackedBar
        label={lines.map((line) => line.label).join(', ')}
        total={total}
        shares={lines.map(({ label, value, tone }) => ({ label, value, tone }))}
      />
      <dl className="mt-3 grid gap-1.5">
        {lines
          .filter((line) => !isSettled || line.name !== 'reserved')
          .map((line) => (
            <div key={line.name} className="flex items-baseline justify-between gap-4">
              <dt className="flex items-center gap-2 text-sm">
                <span aria-hidden className={`size-2.5 rounded-[2px] ${line.mark}`} />
                {line.label}
              </dt>
              <dd>
                <MoneyAmount amount={line.value} />
              </dd>
            </div>
          ))}
        <div className="flex items-baseline justify-between gap-4 border-t pt-1.5 font-semibold">
          <dt className="text-sm">{isHeld ? t('setAside') : t('toSetAside')}</dt>
          <dd>
            <MoneyAmount amount={total} />
          </dd>
        </div>
      </dl>
      <p className="mt-2 text-muted text-sm">
        {hold.fundedTx && hold.rail === 'stripe'
          ? t('figuresIncludeFeeByCard', { feeBps: hold.feeBps / 100 })
          : t('figuresIncludeFee', { feeBps: hold.feeBps / 100 })}
        {hold.fundedTx && hold.rail === 'escrow' && (
          <>
            {' '}
            {t.rich('fundedBy', {
              txLink: fillEmptyTag(<TxLink hash={hold.fundedTx} />),
              settled: () => hold.settledTx && <>{t.rich('settledBy', { txLink: fillEmptyTag(<TxLink hash={hold.settledTx} />) })}</>,
            })}
          </>
        )}
      </p>
      {action}
    </Section>
  )
}
