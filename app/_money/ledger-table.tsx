import Link from 'next/link'
import { TxLink } from '../_components/ui/address.tsx'
import { Money } from '../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'
import { accountLabel } from '../_views/account-label.ts'

type Transfer = {
  readonly id: string
  readonly goalId: string | null
  readonly memo: string
  readonly tx: string | null
  readonly at: Date
  readonly entries: readonly { readonly account: string; readonly debit: bigint; readonly credit: bigint }[]
}

/** Double entry: every transfer with all its lines. `own`: accounts whose lines stand out. */
export function LedgerTable({ transfers, own = [] }: { transfers: readonly Transfer[]; own?: readonly string[] }) {
  return (
    <Table caption="Ledger">
      <thead>
        <tr>
          <Th>When</Th>
          <Th>Account</Th>
          <Th isNumber>Debit</Th>
          <Th isNumber>Credit</Th>
          <Th>Transaction</Th>
        </tr>
      </thead>
      {transfers.map((transfer) => (
        <tbody key={transfer.id} className="border-b last:border-b-0">
          {transfer.entries.map((entry, index) => (
            <Tr key={entry.account} className="border-b-0">
              {index === 0 && (
                <Td rowSpan={transfer.entries.length}>
                  <Time at={transfer.at} className="whitespace-nowrap" />
                  <span className="block min-w-40 max-w-64 text-faint text-xs">
                    {transfer.memo}{' '}
                    {transfer.goalId && (
                      <Link className="text-link" href={`/goals/${transfer.goalId}/payouts`}>
                        Goal
                      </Link>
                    )}
                  </span>
                </Td>
              )}
              <Td className={own.includes(entry.account) ? 'whitespace-nowrap py-1.5 font-semibold' : 'whitespace-nowrap py-1.5'}>
                <span title={entry.account}>{accountLabel(entry.account)}</span>
              </Td>
              <Td isNumber className="py-1.5">
                {entry.debit > 0n ? <Money amount={entry.debit} /> : ''}
              </Td>
              <Td isNumber className="py-1.5">
                {entry.credit > 0n ? <Money amount={entry.credit} /> : ''}
              </Td>
              {index === 0 && (
                <Td rowSpan={transfer.entries.length} className="whitespace-nowrap">
                  {transfer.tx ? <TxLink hash={transfer.tx} /> : ''}
                </Td>
              )}
            </Tr>
          ))}
        </tbody>
      ))}
    </Table>
  )
}
