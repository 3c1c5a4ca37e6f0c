'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMarket } from '../../_components/market-provider.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { TxLink } from '../../_components/ui/copyable-identifier.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { EmptyState, Skeleton } from '../../_components/ui/section.tsx'
import { decodeLog } from './decode-logs-and-calls.ts'
import { DecodedArguments } from './decoded-arguments.tsx'
import { useLogs } from './use-logs.ts'

const step = 25

/** Events that a contract wrote, or that name an address, decoded. */
export function ContractLogs({ address }: { address: string }) {
  const t = useTranslations('explorer.contractLogs')
  const tChain = useTranslations('wallet.chain')
  const market = useMarket()
  const [shown, setShown] = useState(step)
  const { data, error } = useLogs(address)
  if (!market.isLocalChain) return <EmptyState title={t('notLocalChain')}>{t('publicChainsHaveExplorersOfTheir')}</EmptyState>
  if (error) return <Notice kind="bad" title={t('chainDoesNotAnswer')} />
  if (!data) return <Skeleton className="h-72 rounded-lg" />
  if (data.length === 0) return <EmptyState title={t('noEvents')}>{t('nothingOfMarketsContractsNames')}</EmptyState>
  return (
    <>
      <ol className="divide-y rounded-lg border bg-surface">
        {data.slice(0, shown).map((log) => {
          const decoded = decodeLog(log, market, tChain)
          return (
            <li key={`${log.transactionHash}-${log.logIndex}`} className="grid gap-1 px-4 py-3">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-semibold">{decoded?.name ?? t('unknownEvent')}</span>
                <span className="text-muted text-sm">{decoded?.contract}</span>
                <span className="ml-auto text-muted text-sm">
                  {t.rich('block', { number: () => <span className="figures">{Number(log.blockNumber)}</span> })}
                </span>
                <TxLink hash={log.transactionHash} className="text-sm" />
              </p>
              {decoded && <DecodedArguments args={decoded.args} />}
            </li>
          )
        })}
      </ol>
      {data.length > shown && (
        <p className="mt-4 text-center">
          <Button size="small" onClick={() => setShown(shown + step)}>
            {t('olderEvents')}
          </Button>
        </p>
      )}
    </>
  )
}
