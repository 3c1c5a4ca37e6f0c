import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { CopyableIdentifier } from '../../_components/ui/copyable-identifier.tsx'
import { MoneyAmount } from '../../_components/ui/money.tsx'
import { Card, PageHead } from '../../_components/ui/section.tsx'
import { StateChip } from '../../_components/ui/state-chip.tsx'
import { PrintButton } from '../../_money/print-button.tsx'
import { getApi, getRequestContext, orNotFound } from '../../_trpc/server.tsx'
import { goalTitle } from '../../_views/goal-title.ts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payouts.receiptsOnePage')
  return { title: t('receipt') }
}

/** The receipt of one payout, to print. Its number is the payout's id. */
export default async function Page({ params }: { params: Promise<{ payoutId: string }> }) {
  const t = await getTranslations('payouts.receiptsOnePage')
  const { payoutId } = await params
  const api = await getApi()
  const receipt = await orNotFound(api.settlement.getReceipt({ payout_id: payoutId }))
  if (!receipt) notFound()
  const { payout, goal, hold } = receipt
  const { ctx } = await getRequestContext()
  const rows = [
    [
      t('number'),
      <span key="number" className="figures break-all">
        {payout.id}
      </span>,
    ],
    [t('paidAt'), payout.paidAt ? t('utc', { time: payout.paidAt.toISOString().slice(0, 19).replace('T', ' ') }) : t('notPaid')],
    [t('for'), t('step', { step: payout.step, title: payout.title })],
    [t('workedBy'), payout.agentName],
    [t('goal'), goalTitle(goal.text)],
    [t('paidBy'), <CopyableIdentifier key="client" text={hold.client} />],
    [t('paidTo'), <CopyableIdentifier key="payee" text={payout.payee} />],
    [
      t('asset'),
      <span key="asset" className="figures break-all">
        {payout.asset}
      </span>,
    ],
    [t('transaction'), payout.tx ? <CopyableIdentifier key="tx" text={payout.tx} /> : t('none')],
    hold.rail === 'escrow'
      ? ([t('escrow'), <CopyableIdentifier key="escrow" text={hold.escrow} />] as const)
      : ([t('paidThrough'), t('stripeByCard')] as const),
  ] as const
  return (
    <article className="mx-auto max-w-2xl">
      <PageHead eyebrow={t('parley')} title={t('receipt')} actions={<PrintButton label={t('print')} />} />
      <Card>
        <div className="rule-double mb-4 flex flex-wrap items-baseline justify-between gap-4 pb-4">
          <MoneyAmount amount={payout.amount} asset={payout.asset} className="font-semibold text-3xl" />
          <StateChip of="payout" state={payout.state} />
        </div>
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
          {rows.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted text-sm">{label}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-5 border-t pt-4 text-muted text-sm">
          {hold.rail === 'escrow' ? t('paidByEscrow', { chainId: String(ctx.market.chainId) }) : t('paidThroughStripe')} {t('feePaidOnTop')}
          {hold.rail === 'escrow' && ctx.market.isLocalChain && ` ${t('testMoney')}`}
        </p>
      </Card>
    </article>
  )
}
