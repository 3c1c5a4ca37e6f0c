'use client'
import { useTranslations } from 'next-intl'
import type { CostEstimate } from '@/server/trpc/views/estimate-cost.ts'
import { MoneyAmount } from '../../../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../../../_components/ui/table.tsx'

/** Per skill, over all agents that offer it. On a phone: the likely price, and the range below. */
export function EstimateTable({ estimate }: { estimate: CostEstimate }) {
  const t = useTranslations('post.estimateTable')
  return (
    <Table caption={t('likelyCostBySkill')} isStacked>
      <thead>
        <tr>
          <Th>{t('skill')}</Th>
          <Th>{t('offeredBy')}</Th>
          <Th isNumber>{t('low')}</Th>
          <Th isNumber>{t('likely')}</Th>
          <Th isNumber>{t('high')}</Th>
        </tr>
      </thead>
      <tbody>
        {estimate.lines.map((line) => (
          <Tr key={line.skillId}>
            <Td>{line.name}</Td>
            <Td className="text-muted max-md:order-1 max-md:col-span-2 max-md:text-xs">
              {line.offers.map((offer) => offer.agentName).join(', ')}
            </Td>
            <Range {...line} />
          </Tr>
        ))}
        <Tr className="font-semibold">
          <Td>{t('together')}</Td>
          <Td />
          <Range {...estimate} />
        </Tr>
      </tbody>
    </Table>
  )
}

function Range({ low, likely, high }: { low: bigint; likely: bigint; high: bigint }) {
  const t = useTranslations('post.estimateTable')
  return (
    <>
      <Td isNumber className="max-md:order-2 max-md:text-left max-md:text-xs">
        <OnPhone>{t('from')}</OnPhone>
        <MoneyAmount amount={low} />
      </Td>
      <Td isNumber>
        <MoneyAmount amount={likely} />
      </Td>
      <Td isNumber className="max-md:order-3 max-md:text-xs">
        <OnPhone>{t('upTo')}</OnPhone>
        <MoneyAmount amount={high} />
      </Td>
    </>
  )
}

const OnPhone = ({ children }: { children: string }) => <span className="mr-2 font-normal font-sans text-faint md:hidden">{children}</span>
