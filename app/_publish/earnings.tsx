import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { Card, Stat } from '../_components/ui/card.tsx'
import { Money } from '../_components/ui/money.tsx'

export type AgentEarnings = { readonly agent_id: string; readonly agreed: string; readonly paying: string; readonly paid: string }

export function Earnings({ totals }: { totals: readonly AgentEarnings[] }) {
  const t = useTranslations('publish.earnings')
  const sum = (field: 'agreed' | 'paying' | 'paid') => totals.reduce((all, one) => all + BigInt(one[field]), 0n)
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3">
        <Stat label={t('agreed')} hint={t('inSealedChartersNotSettledYet')}>
          <Money amount={sum('agreed')} />
        </Stat>
        <Stat label={t('beingPaid')} hint={t('confirmingOnChain')}>
          <Money amount={sum('paying')} />
        </Stat>
        <Stat label={t('paid')} hint={t('toYourPayoutWallets')}>
          <Money amount={sum('paid')} />
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
