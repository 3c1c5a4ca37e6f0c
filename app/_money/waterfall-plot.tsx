import { Check, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { cn } from '../_components/ui/cn.ts'
import { CopyableAddress, TxLink } from '../_components/ui/copyable-identifier.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import type { Waterfall, WaterfallLine } from './waterfall-layout.ts'

type Line = WaterfallLine & { readonly address: string; readonly tx: string | null }

const fills: { readonly [kind in WaterfallLine['kind']]: string } = {
  funded: 'bg-accent',
  fee: 'bg-line-strong',
  payee: 'bg-good',
  credit: 'bg-amber',
  refund: 'bg-accent opacity-60',
  held: 'bg-amber',
  loss: 'bg-amber',
  processing: 'bg-line-strong',
}

/** Each line with its bar: plot and table in one. The last line is the check sum. */
export function WaterfallPlot({ waterfall, lines }: { waterfall: Waterfall; lines: readonly Line[] }) {
  const t = useTranslations('payouts.waterfallPlot')
  return (
    <Table caption={t('fromFundedToPaidRefunded')} isStacked>
      <thead>
        <tr>
          <Th>{t('line')}</Th>
          <Th className="hidden w-2/5 md:table-cell">{t('fromSetAsideToNothingLeft')}</Th>
          <Th isNumber>{t('amount')}</Th>
          <Th isNumber>{t('remains')}</Th>
          <Th>{t('transaction')}</Th>
        </tr>
      </thead>
      <tbody>
        {waterfall.bars.map((bar, index) => {
          const line = lines[index]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and none moves
            <Tr key={index}>
              <Td className="min-w-36">
                {bar.label}
                {line && bar.kind !== 'held' && (
                  <CopyableAddress address={line.address} className="flex whitespace-nowrap text-muted text-xs" />
                )}
              </Td>
              <Td className="align-middle max-md:order-1 max-md:col-span-2">
                <div aria-hidden className="relative h-3 rounded-sm md:h-5 bg-sunken">
                  <div
                    className={cn('absolute inset-y-0 min-w-0.5 rounded-sm', fills[bar.kind])}
                    style={{ left: `${bar.start * 100}%`, width: `${bar.length * 100}%` }}
                  />
                </div>
              </Td>
              <Td isNumber>
                <MoneyAmount amount={bar.amount} isSigned />
              </Td>
              <Td isNumber className="text-muted max-md:order-3">
                <span className="mr-2 font-sans text-faint text-xs md:hidden">{t('remainsLabel')}</span>
                <MoneyAmount amount={bar.after} />
              </Td>
              <Td className="whitespace-nowrap max-md:order-2">{line?.tx ? <TxLink hash={line.tx} /> : ''}</Td>
            </Tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr className="border-line-strong border-t-[3px] border-double font-semibold">
          <td className="px-4 py-3 max-md:p-0">
            <span className={cn('inline-flex items-center gap-2', waterfall.isBalanced ? 'text-good-ink' : 'text-bad-ink')}>
              {waterfall.isBalanced ? <Check aria-hidden className="size-4" /> : <TriangleAlert aria-hidden className="size-4" />}
              {waterfall.isBalanced ? t('sumsToZero') : t('doesNotSumToZero')}
            </span>
          </td>
          <td />
          <Td isNumber>
            <MoneyAmount amount={waterfall.rest} />
          </Td>
          <td />
          <td />
        </tr>
      </tfoot>
    </Table>
  )
}
