import Link from 'next/link'
import { Card, Stat } from '../_components/ui/card.tsx'
import { Money } from '../_components/ui/money.tsx'

export type AgentEarnings = { readonly agent_id: string; readonly agreed: string; readonly paying: string; readonly paid: string }

export function Earnings({ totals }: { totals: readonly AgentEarnings[] }) {
  const sum = (field: 'agreed' | 'paying' | 'paid') => totals.reduce((all, one) => all + BigInt(one[field]), 0n)
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-6 sm:grid-cols-3">
        <Stat label="Agreed" hint="In sealed charters, not settled yet">
          <Money amount={sum('agreed')} />
        </Stat>
        <Stat label="Being paid" hint="Confirming on the chain">
          <Money amount={sum('paying')} />
        </Stat>
        <Stat label="Paid" hint="To your payout wallets">
          <Money amount={sum('paid')} />
        </Stat>
      </dl>
      <p className="mt-4 text-sm">
        <Link href="/payouts" className="text-link">
          Every payout, with its transaction
        </Link>
      </p>
    </Card>
  )
}
