'use client'
import { useTranslations } from 'next-intl'
import { formatUnits } from 'viem'
import { useMarket } from '../../../_components/market-provider.tsx'
import { CopyableAddress } from '../../../_components/ui/copyable-identifier.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { Card, EmptyState, Section, Skeleton } from '../../../_components/ui/section.tsx'
import { decodeCall, decodeLog } from '../../_chain/decode-logs-and-calls.ts'
import { DecodedArguments } from '../../_chain/decoded-arguments.tsx'
import { ExplorerLink } from '../../_chain/explorer-link.tsx'
import { useTransaction } from '../../_chain/use-transaction.ts'

/** The transaction from the node: caller, callee, and events. */
export function TransactionDetails({ hash }: { hash: string }) {
  const t = useTranslations('explorer.transactionDetails')
  const tChain = useTranslations('wallet.chain')
  const market = useMarket()
  const { data, error } = useTransaction(hash)
  if (!market.isLocalChain)
    return (
      <EmptyState title={t('notLocalChain')}>
        {t('lookHashUpInChainsOwn')} <ExplorerLink tx={hash} />
      </EmptyState>
    )
  if (error) return <Notice kind="bad" title={t('chainDoesNotAnswer')} />
  if (!data) return <Skeleton className="h-72 rounded-lg" />
  const { transaction, receipt } = data
  if (!transaction) return <EmptyState title={t('chainDoesNotKnowTransaction')}>{t('mayHaveSentToAnotherChain')}</EmptyState>
  const call = decodeCall(transaction, market, tChain)
  const rows = [
    [t('status'), receipt ? (receipt.status === '0x1' ? t('succeeded') : t('revertedChangedNothing')) : t('waitingForBlock')],
    [t('block'), receipt ? String(Number(receipt.blockNumber)) : t('noneYet')],
    [t('from'), <CopyableAddress key="from" address={transaction.from} />],
    [t('to'), transaction.to ? <CopyableAddress key="to" address={transaction.to} /> : t('newContract')],
    [t('nonce'), String(Number(transaction.nonce))],
    [t('ether'), formatUnits(BigInt(transaction.value), 18)],
    [t('gas'), receipt ? Number(receipt.gasUsed).toLocaleString('en') : t('notKnownYet')],
  ] as const
  return (
    <div className="grid gap-8">
      <Card>
        <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
          {rows.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted text-sm sm:leading-9">{label}</dt>
              <dd className="figures min-w-0 break-all sm:leading-9">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Section title={t('called')}>
        <Card>
          {call ? (
            <>
              <p className="mb-2 font-semibold">
                {call.contract}.{call.name}
              </p>
              <DecodedArguments args={call.args} />
            </>
          ) : (
            <p className="figures break-all text-sm">
              {transaction.input === '0x' ? t('nothingTransferOfEther') : transaction.input.slice(0, 400)}
            </p>
          )}
        </Card>
      </Section>
      <Section title={t('log')} aside={receipt ? t('events', { count: receipt.logs.length }) : undefined}>
        {receipt && receipt.logs.length > 0 ? (
          <ol className="divide-y rounded-lg border bg-surface">
            {receipt.logs.map((log) => {
              const decoded = decodeLog(log, market, tChain)
              return (
                <li key={log.logIndex} className="grid gap-1 px-4 py-3">
                  <p>
                    <span className="font-semibold">{decoded?.name ?? t('unknownEvent')}</span>{' '}
                    <span className="text-muted text-sm">{decoded?.contract ?? log.address}</span>
                  </p>
                  {decoded ? <DecodedArguments args={decoded.args} /> : <p className="figures break-all text-xs">{log.data}</p>}
                </li>
              )
            })}
          </ol>
        ) : (
          <EmptyState title={t('wroteNothingIntoLog')} />
        )}
      </Section>
    </div>
  )
}
