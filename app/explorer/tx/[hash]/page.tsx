import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Link } from '../../../_components/ui/link.tsx'
import { PageHead } from '../../../_components/ui/section.tsx'
import { StateChip } from '../../../_components/ui/state-chip.tsx'
import { getApi, orNotFound } from '../../../_trpc/server.tsx'
import { ExplorerLink } from '../../_chain/explorer-link.tsx'
import { TransactionDetails } from './transaction-details.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('explorer.txOnePage')
  return { title: t('transaction') }
}

const purposes = {
  fund: 'setsGoalsMoneyAside',
  seal: 'sealsCharter',
  settle: 'settlesGoal',
  refund: 'refundsHold',
  open: 'opensChannelForCalls',
  top_up: 'topsUpChannel',
  claim: 'paysWhatCallsHaveEarned',
  close: 'closesChannelForCalls',
  mint: 'givesTestMoney',
  sendEther: 'givesLittleEtherForGas',
} as const

const isPurpose = (text: string): text is keyof typeof purposes => Object.hasOwn(purposes, text)

export default async function Page({ params }: { params: Promise<{ hash: string }> }) {
  const t = await getTranslations('explorer.txOnePage')
  const { hash } = await params
  if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) return <PageHead title={t('noTransactionHash')} lead={t('transactionHash0x64Hexadecimal')} />
  const known = await orNotFound((await getApi()).settlement.getTransaction({ hash }))
  const what = known?.purpose && (isPurpose(known.purpose) ? t(purposes[known.purpose]) : known.purpose)
  return (
    <>
      <PageHead
        eyebrow={
          <Link className="text-link" href="/explorer">
            {t('explorer')}
          </Link>
        }
        title={t('transaction')}
        lead={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="figures break-all text-sm">{hash}</span>
            {known && <StateChip of="transfer" state={known.state} />}
            {what && <span>{what}.</span>}
            {known?.goalId && (
              <Link className="text-link" href={`/goals/${known.goalId}/payouts`}>
                {t('goal')}
              </Link>
            )}
            <ExplorerLink tx={hash} />
            {known?.failure && <span className="text-bad-ink">{known.failure}</span>}
          </span>
        }
      />
      <TransactionDetails hash={hash} />
    </>
  )
}
