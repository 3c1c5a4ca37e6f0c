'use client'
import { useTranslations } from 'next-intl'
import { useMarket } from '../../_components/market-provider.tsx'
import { TxLink } from '../../_components/ui/copyable-identifier.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { EmptyState, Skeleton } from '../../_components/ui/section.tsx'
import { Time } from '../../_components/ui/time.tsx'
import { useLatestBlocks } from './use-latest-blocks.ts'

export function LatestBlocks() {
  const t = useTranslations('explorer.latestBlocks')
  const { isLocalChain } = useMarket()
  const { data, error } = useLatestBlocks(12)
  if (!isLocalChain) return <EmptyState title={t('notLocalChain')}>{t('publicChainsHaveExplorersOfTheir')}</EmptyState>
  if (error) return <Notice kind="bad" title={t('chainDoesNotAnswer')} />
  if (!data) return <Skeleton className="h-72 rounded-lg" />
  return (
    <ol className="divide-y rounded-lg border bg-surface">
      {data.map((block) => (
        <li key={block.hash} className="grid gap-0.5 px-4 py-2.5 text-sm">
          <span className="flex justify-between gap-3">
            <span className="figures font-semibold">{Number(block.number)}</span>
            <Time at={new Date(Number(block.timestamp) * 1000)} className="text-muted" />
          </span>
          {block.transactions.length === 0 ? (
            <span className="text-faint text-xs">{t('empty')}</span>
          ) : (
            block.transactions.slice(0, 4).map((hash) => <TxLink key={hash} hash={hash} className="text-xs" />)
          )}
        </li>
      ))}
    </ol>
  )
}
