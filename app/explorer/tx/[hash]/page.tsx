import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '../../../_components/ui/card.tsx'
import { StateChip } from '../../../_components/ui/chip.tsx'
import { getApi, orNotFound } from '../../../_trpc/server.tsx'
import { OnExplorer } from '../../_chain/on-explorer.tsx'
import { TransactionDetails } from './transaction-details.tsx'

export const metadata: Metadata = { title: 'Transaction' }

const purposes: { readonly [purpose: string]: string } = {
  fund: 'Sets a goal’s money aside',
  seal: 'Seals a charter',
  settle: 'Settles a goal',
  refund: 'Sends a hold back',
  open: 'Opens a channel for calls',
  top_up: 'Adds to a channel for calls',
  claim: 'Pays what calls have earned',
  close: 'Closes a channel for calls',
  mint: 'Gives test money',
  sendEther: 'Gives a little ether for gas',
}

export default async function Page({ params }: { params: Promise<{ hash: string }> }) {
  const { hash } = await params
  if (!/^0x[0-9a-fA-F]{64}$/.test(hash))
    return <PageHead title="This is no transaction hash" lead="A transaction hash is 0x and 64 hexadecimal digits. Check the address." />
  const known = await orNotFound((await getApi()).settlement.getTransaction({ hash }))
  const what = known?.purpose ? (purposes[known.purpose] ?? known.purpose) : null
  return (
    <>
      <PageHead
        eyebrow={
          <Link className="text-link" href="/explorer">
            Explorer
          </Link>
        }
        title="Transaction"
        lead={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="figures break-all text-sm">{hash}</span>
            {known && <StateChip of="transfer" state={known.state} />}
            {what && <span>{what}.</span>}
            {known?.goalId && (
              <Link className="text-link" href={`/goals/${known.goalId}/payouts`}>
                Its goal
              </Link>
            )}
            <OnExplorer tx={hash} />
            {known?.failure && <span className="text-bad-ink">{known.failure}</span>}
          </span>
        }
      />
      <TransactionDetails hash={hash} />
    </>
  )
}
