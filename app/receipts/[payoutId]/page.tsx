import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Identifier } from '../../_components/ui/address.tsx'
import { Card, PageHead } from '../../_components/ui/card.tsx'
import { StateChip } from '../../_components/ui/chip.tsx'
import { Money } from '../../_components/ui/money.tsx'
import { getApi, getCall, orNotFound } from '../../_trpc/server.tsx'
import { goalTitle } from '../../_views/goal-title.ts'
import { PrintButton } from './print-button.tsx'

export const metadata: Metadata = { title: 'Receipt' }

/** One payout on one sheet, to print or to keep. Its number is the payout's own and never changes. */
export default async function Page({ params }: { params: Promise<{ payoutId: string }> }) {
  const { payoutId } = await params
  const api = await getApi()
  const receipt = await orNotFound(api.settlement.getReceipt({ payout_id: payoutId }))
  if (!receipt) notFound()
  const { payout, goal, hold } = receipt
  const { ctx } = await getCall()
  const rows = [
    [
      'Number',
      <span key="number" className="figures break-all">
        {payout.id}
      </span>,
    ],
    ['Paid at', payout.paidAt ? `${payout.paidAt.toISOString().slice(0, 19).replace('T', ' ')} UTC` : 'not paid'],
    ['For', `Step ${payout.step}: ${payout.title}`],
    ['Worked by', payout.agentName],
    ['Goal', goalTitle(goal.text)],
    ['Paid by', <Identifier key="client" text={hold.client} />],
    ['Paid to', <Identifier key="payee" text={payout.payee} />],
    [
      'Asset',
      <span key="asset" className="figures break-all">
        {payout.asset}
      </span>,
    ],
    ['Transaction', payout.tx ? <Identifier key="tx" text={payout.tx} /> : 'none'],
    hold.rail === 'escrow'
      ? (['Escrow', <Identifier key="escrow" text={hold.escrow} />] as const)
      : (['Paid through', 'Stripe, by card'] as const),
  ] as const
  return (
    <article className="mx-auto max-w-2xl">
      <PageHead eyebrow="Parley" title="Receipt" actions={<PrintButton />} />
      <Card>
        <div className="rule-double mb-4 flex flex-wrap items-baseline justify-between gap-4 pb-4">
          <Money amount={payout.amount} asset={payout.asset} className="font-semibold text-3xl" />
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
          {hold.rail === 'escrow' ? `Paid by the escrow contract on chain ${ctx.market.chainId}.` : 'Paid out through Stripe.'} The
          platform’s fee was paid by the client on top of this amount.
          {hold.rail === 'escrow' && ctx.market.isLocalChain && ' This is test money on a local chain: it has no value.'}
        </p>
      </Card>
    </article>
  )
}
