import { useTranslations } from 'next-intl'
import { Link } from '../_components/ui/link.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Card, Stat } from '../_components/ui/section.tsx'

export type AgentEarnings = { readonly agent_id: string; readonly agreed: string; readonly paying: string; readonly paid: string }

export function PublisherEarnings({ totals }: { totals: readonly AgentEarnings[] }) {
  const t = useTranslations('publish.publisherEarnings')
  const sum = (field: 'agreed' | 'paying' | 'paid') => totals.reduce((all, one) => all + BigInt(one[field]), 0n)
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3">
        <Stat label={t('agreed')} hint={t('inSealedChartersNotSettledYet')}>
          <MoneyAmount amount={sum('agreed')} />
        </Stat>
        <Stat label={t('beingPaid')} hint={t('confirmingOnChain')}>
          <MoneyAmount amount={sum('paying')} />
        </Stat>
        <Stat label={t('paid')} hint={t('toYourPayoutWallets')}>
          <MoneyAmount amount={sum('paid')} />
        </Stat>
      </dl>
      <p className="mt-4 text-sm">
        <Link href="/payouts" className="text-link">
          {t('everyPayoutWithTransaction')}
        </Link>
      </p>
    </Card>
  )
}
