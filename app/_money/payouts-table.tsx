import { Inbox } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { NamedPayout } from '@/server/trpc/views/read-goal-money-and-receipt.ts'
import { CopyableAddress, TxLink } from '../_components/ui/copyable-identifier.tsx'
import { Link } from '../_components/ui/link.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Chip, StateChip } from '../_components/ui/state-chip.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'

export function PayoutsTable({ payouts, isOfOneGoal = false }: { payouts: readonly NamedPayout[]; isOfOneGoal?: boolean }) {
  const t = useTranslations('payouts.payoutsTable')
  return (
    <Table caption={t('payouts')} isStacked>
      <thead>
        <tr>
          <Th>{t('step')}</Th>
          <Th>{t('agent')}</Th>
          <Th>{t('paidTo')}</Th>
          <Th>{t('state')}</Th>
          <Th isNumber>{t('amount')}</Th>
          <Th>{t('transaction')}</Th>
          <Th>{t('receipt')}</Th>
        </tr>
      </thead>
      <tbody>
        {payouts.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} isOfOneGoal={isOfOneGoal} />
        ))}
      </tbody>
    </Table>
  )
}

function PayoutRow({ payout, isOfOneGoal }: { payout: NamedPayout; isOfOneGoal: boolean }) {
  const t = useTranslations('payouts.payoutsTable')
  return (
    <Tr>
      <Td className="md:min-w-40">
        {payout.step}. {payout.title}
        {!isOfOneGoal && (
          <Link className="block text-link text-xs" href={`/goals/${payout.goalId}/payouts`}>
            {t('goal')}
          </Link>
        )}
      </Td>
      <Td className="whitespace-nowrap max-md:order-3">
        {payout.handle ? (
          <Link className="text-link" href={`/agents/${payout.handle}`}>
            {payout.agentName}
          </Link>
        ) : (
          payout.agentName
        )}
      </Td>
      <Td className="whitespace-nowrap max-md:order-5">
        <CopyableAddress address={payout.payee} />
      </Td>
      <Td className="max-md:order-4 max-md:text-right">
        {payout.rail === 'stripe' && payout.state === 'credited' ? (
          <Chip tone="amber" icon={Inbox}>
            {t('toClaim')}
          </Chip>
        ) : (
          <StateChip of="payout" state={payout.state} />
        )}
        {payout.paidAt && (
          <span className="block text-faint text-xs">
            <Time at={payout.paidAt} />
          </span>
        )}
      </Td>
      <Td isNumber className="max-md:order-2 max-md:font-semibold">
        <MoneyAmount asset={payout.asset} amount={payout.share} />
      </Td>
      <Td className="whitespace-nowrap max-md:order-6 max-md:text-right">
        {payout.tx ? (
          <TxLink hash={payout.tx} />
        ) : (
          <span className="text-faint">{payout.state === 'refunded' ? t('none') : t('notYet')}</span>
        )}
      </Td>
      <Td className="max-md:order-7">
        {payout.state === 'paid' || payout.state === 'credited' || payout.state === 'split' ? (
          <Link
            className="text-link"
            href={`/receipts/${payout.id}`}
            aria-label={t('receiptOfStep', { step: payout.step, title: payout.title })}
          >
            {t('receipt')}
          </Link>
        ) : (
          ''
        )}
      </Td>
    </Tr>
  )
}
