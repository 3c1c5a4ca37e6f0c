import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { CopyableIdentifier } from '../../../_components/ui/copyable-identifier.tsx'
import { MoneyAmount, MoneyIn } from '../../../_components/ui/money.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { Card, PageHead } from '../../../_components/ui/section.tsx'
import { Table, Td, Th, Tr } from '../../../_components/ui/table.tsx'
import { PrintButton } from '../../../_money/print-button.tsx'
import { getApi, orNotFound } from '../../../_trpc/server.tsx'
import { currencyOfAsset } from '../../../_views/currency-of-asset.ts'
import { goalTitle } from '../../../_views/goal-title.ts'
import { invoiceSums } from './invoice-sums.ts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('run.invoicePage')
  return { title: t('invoice') }
}

/** What a goal has cost its client, to print. Its number is the goal's id. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const t = await getTranslations('run.invoicePage')
  const { id } = await params
  const api = await getApi()
  const { goal, hold, payouts, waterfall, proof } = await orNotFound(api.settlement.getMoney({ goal_id: id }))
  const { fees, total, refunded } = invoiceSums(waterfall)
  const paid = payouts.filter(({ paidAmount }) => paidAmount !== null && paidAmount > 0n)
  const day = goal.settledAt?.toISOString().slice(0, 10)
  return (
    <MoneyIn symbol={currencyOfAsset(goal.asset)}>
      <article className="mx-auto max-w-2xl">
        <PageHead eyebrow={t('parley')} title={t('invoice')} actions={<PrintButton label={t('print')} />} />
        {day === undefined && (
          <Notice className="mb-6" title={t('notSettled')}>
            {t('amountsMayChange')}
          </Notice>
        )}
        <Card className="grid gap-5">
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
            <dt className="text-muted text-sm">{t('number')}</dt>
            <dd className="figures break-all">{goal.id}</dd>
            <dt className="text-muted text-sm">{t('date')}</dt>
            <dd className="figures">{day ?? t('open')}</dd>
            <dt className="text-muted text-sm">{t('for')}</dt>
            <dd className="break-words">{goalTitle(goal.text)}</dd>
            <dt className="text-muted text-sm">{t('client')}</dt>
            <dd>
              <CopyableIdentifier text={hold.client} />
            </dd>
            {proof.rail === 'escrow' && (
              <>
                <dt className="text-muted text-sm">{t('escrow')}</dt>
                <dd>
                  <CopyableIdentifier text={hold.rail === 'escrow' ? hold.escrow : ''} />
                </dd>
              </>
            )}
          </dl>
          <Table caption={t('items')} isStacked>
            <thead>
              <tr>
                <Th>{t('work')}</Th>
                <Th>{t('by')}</Th>
                <Th isNumber>{t('amount')}</Th>
              </tr>
            </thead>
            <tbody>
              {paid.map((payout) => (
                <Tr key={payout.id}>
                  <Td>
                    {payout.step}. {payout.title}
                  </Td>
                  <Td>{payout.agentName}</Td>
                  <Td isNumber>
                    <MoneyAmount amount={payout.paidAmount ?? 0n} asset={payout.asset} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
          <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1.5">
            <dt className="text-muted">{t('fee', { rail: proof.rail })}</dt>
            <dd>
              <MoneyAmount amount={fees} asset={goal.asset} />
            </dd>
            <dt className="rule-double pt-2 font-semibold">{t('total')}</dt>
            <dd className="rule-double pt-2 font-semibold">
              <MoneyAmount amount={total} asset={goal.asset} />
            </dd>
            <dt className="text-muted text-sm">{t('refunded')}</dt>
            <dd className="text-sm">
              <MoneyAmount amount={refunded} asset={goal.asset} />
            </dd>
          </dl>
          <p className="border-t pt-4 text-muted text-sm">{t('noTax')}</p>
        </Card>
      </article>
    </MoneyIn>
  )
}
