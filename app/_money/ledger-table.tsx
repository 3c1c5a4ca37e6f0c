import { useTranslations } from 'next-intl'
import { TxLink } from '../_components/ui/copyable-identifier.tsx'
import { Link } from '../_components/ui/link.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'
import { ledgerAccountLabel } from './ledger-account-label.ts'

type Transfer = {
  readonly id: string
  readonly goalId: string | null
  readonly memo: string
  readonly tx: string | null
  readonly at: Date
  readonly entries: readonly { readonly account: string; readonly asset: string; readonly debit: bigint; readonly credit: bigint }[]
}

type Props = { transfers: readonly Transfer[]; own?: readonly string[]; isOfOneGoal?: boolean }

/** Double entry: every transfer with all its lines. `own`: accounts whose lines are highlighted. */
export function LedgerTable({ transfers, own = [], isOfOneGoal = false }: Props) {
  const t = useTranslations('payouts.ledgerTable')
  const tAccount = useTranslations('views.account')
  return (
    <Table caption={t('ledger')} isStacked>
      <thead>
        <tr>
          <Th>{t('when')}</Th>
          <Th>{t('account')}</Th>
          <Th isNumber>{t('debit')}</Th>
          <Th isNumber>{t('credit')}</Th>
          <Th>{t('transaction')}</Th>
        </tr>
      </thead>
      {transfers.map((transfer) => (
        <tbody key={transfer.id} className="border-b last:border-b-0">
          {transfer.entries.map((entry, index) => (
            <Tr key={entry.account} className="border-b-0 max-md:py-1">
              {index === 0 && (
                <Td rowSpan={transfer.entries.length} className="max-md:order-1">
                  <Time at={transfer.at} className="whitespace-nowrap" />
                  <span className="block max-w-64 md:min-w-40 text-faint text-xs">
                    {transfer.memo}{' '}
                    {transfer.goalId && !isOfOneGoal && (
                      <Link className="text-link" href={`/goals/${transfer.goalId}/payouts`}>
                        {t('goal')}
                      </Link>
                    )}
                  </span>
                </Td>
              )}
              <Td
                className={
                  own.includes(entry.account)
                    ? 'break-words py-1.5 font-semibold max-md:order-3 md:whitespace-nowrap'
                    : 'break-words py-1.5 max-md:order-3 md:whitespace-nowrap'
                }
              >
                <span title={entry.account}>{ledgerAccountLabel(entry.account, tAccount)}</span>
              </Td>
              <Td isNumber className="py-1.5 max-md:order-4">
                {entry.debit > 0n ? <Side name={t('debit')} amount={entry.debit} asset={entry.asset} /> : ''}
              </Td>
              <Td isNumber className="py-1.5 max-md:order-4">
                {entry.credit > 0n ? <Side name={t('credit')} amount={entry.credit} asset={entry.asset} /> : ''}
              </Td>
              {index === 0 && (
                <Td rowSpan={transfer.entries.length} className="whitespace-nowrap max-md:order-2 max-md:text-right">
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

/** Without columns, each amount shows its side. */
function Side({ name, amount, asset }: { name: string; amount: bigint; asset: string }) {
  return (
    <>
      <span aria-hidden className="mr-2 font-sans text-faint text-xs md:hidden">
        {name}
      </span>
      <MoneyAmount amount={amount} asset={asset} />
    </>
  )
}
