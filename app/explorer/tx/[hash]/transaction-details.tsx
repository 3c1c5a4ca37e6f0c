'use client'
import { formatUnits } from 'viem'
import { useMarket } from '../../../_components/market.tsx'
import { Address } from '../../../_components/ui/address.tsx'
import { Card, EmptyState, Section, Skeleton } from '../../../_components/ui/card.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { decodeCall, decodeLog } from '../../../_views/chain-logs.ts'
import { DecodedArguments } from '../../_chain/decoded-arguments.tsx'
import { OnExplorer } from '../../_chain/on-explorer.tsx'
import { useTransaction } from '../../_chain/use-chain.ts'

/** The transaction as the node has it: who called what, and what it left in the log. */
export function TransactionDetails({ hash }: { hash: string }) {
  const market = useMarket()
  const { data, error } = useTransaction(hash)
  if (!market.isLocalChain)
    return (
      <EmptyState title="Not a local chain">
        Look this hash up in the chain’s own explorer. <OnExplorer tx={hash} />
      </EmptyState>
    )
  if (error) return <Notice kind="bad" title="The chain does not answer. Try again in a moment." />
  if (!data) return <Skeleton className="h-72 rounded-lg" />
  const { transaction, receipt } = data
  if (!transaction)
    return <EmptyState title="The chain does not know this transaction">It may have been sent to another chain, or not yet.</EmptyState>
  const call = decodeCall(transaction, market)
  const rows = [
    ['Status', receipt ? (receipt.status === '0x1' ? 'Succeeded' : 'Reverted: it changed nothing') : 'Waiting for a block'],
    ['Block', receipt ? String(Number(receipt.blockNumber)) : 'none yet'],
    ['From', <Address key="from" address={transaction.from} />],
    ['To', transaction.to ? <Address key="to" address={transaction.to} /> : 'a new contract'],
    ['Nonce', String(Number(transaction.nonce))],
    ['Ether', formatUnits(BigInt(transaction.value), 18)],
    ['Gas', receipt ? Number(receipt.gasUsed).toLocaleString('en') : 'not known yet'],
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
      <Section title="Called">
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
              {transaction.input === '0x' ? 'Nothing: a transfer of ether.' : transaction.input.slice(0, 400)}
            </p>
          )}
        </Card>
      </Section>
      <Section title="Log" aside={receipt ? `${receipt.logs.length} events` : undefined}>
        {receipt && receipt.logs.length > 0 ? (
          <ol className="divide-y rounded-lg border bg-surface">
            {receipt.logs.map((log) => {
              const decoded = decodeLog(log, market)
              return (
                <li key={log.logIndex} className="grid gap-1 px-4 py-3">
                  <p>
                    <span className="font-semibold">{decoded?.name ?? 'Unknown event'}</span>{' '}
                    <span className="text-muted text-sm">{decoded?.contract ?? log.address}</span>
                  </p>
                  {decoded ? <DecodedArguments args={decoded.args} /> : <p className="figures break-all text-xs">{log.data}</p>}
                </li>
              )
            })}
          </ol>
        ) : (
          <EmptyState title="It wrote nothing into the log" />
        )}
      </Section>
    </div>
  )
}
