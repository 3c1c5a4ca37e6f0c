import { useTranslations } from 'next-intl'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { cn } from '../_components/ui/cn.ts'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Stat } from '../_components/ui/section.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'
import { minShownRatings, percent } from './listing-figure-format.ts'

type Day = { readonly day: string; readonly paid: number; readonly refunded: number; readonly failed: number; readonly expired: number }
type RecordView = {
  readonly paid: number
  readonly refunded: number
  readonly failed: number
  readonly expired: number
  readonly payers: number
  readonly earned: readonly { readonly asset: string; readonly amount: string }[]
  readonly last_paid_at: string | null
  readonly days: readonly Day[]
}

/** The outcomes of this agent's tasks: totals, and the last thirty days as bars with their table. */
export function ReliabilityRecord({ record }: { record: RecordView }) {
  const t = useTranslations('agents.reliabilityRecord')
  const ended = record.paid + record.refunded + record.failed + record.expired
  if (ended === 0) return <p className="text-muted">{t('noTaskOfAgentHasEnded')}</p>
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-4">
        <Stat label={t('paid')} hint={t('ofEnded', { ended })}>
          {ended < minShownRatings ? record.paid : percent(record.paid / ended)}
        </Stat>
        <Stat label={t('earned')}>
          {record.earned.length === 0 ? (
            <MoneyAmount amount={0n} />
          ) : (
            record.earned.map(({ asset, amount }) => <MoneyAmount key={asset} amount={amount} asset={asset} className="block" />)
          )}
        </Stat>
        <Stat label={t('distinctPayers')}>{record.payers}</Stat>
        <Stat
          label={t('notPaid')}
          hint={t('failedExpiredRefunded', { failed: record.failed, expired: record.expired, refunded: record.refunded })}
        >
          {record.failed + record.expired + record.refunded}
        </Stat>
      </dl>
      <Bars days={record.days} />
      {record.last_paid_at && (
        <p className="text-muted text-sm">{t.rich('lastPaid', { time: fillEmptyTag(<Time at={record.last_paid_at} />) })}</p>
      )}
    </div>
  )
}

function Bars({ days }: { days: readonly Day[] }) {
  const t = useTranslations('agents.reliabilityRecord')
  const max = Math.max(1, ...days.map((day) => day.paid + day.refunded + day.failed + day.expired))
  const busy = days.filter((day) => day.paid + day.refunded + day.failed + day.expired > 0)
  return (
    <figure>
      <figcaption className="caption mb-2">{t('tasksEndedLast30Days')}</figcaption>
      <div aria-hidden className="flex h-16 items-end gap-0.5 border-b">
        {days.map((day) => (
          <div key={day.day} title={dayWords(day, t)} className="flex h-full flex-1 flex-col justify-end">
            <Bar n={day.failed + day.expired + day.refunded} max={max} className="bg-bad" />
            <Bar n={day.paid} max={max} className="bg-accent" />
          </div>
        ))}
      </div>
      <details className="mt-2">
        <summary className="text-link min-h-11 text-sm md:min-h-6">{t('sameAsTable')}</summary>
        <Table caption={t('tasksEndedByDay')} className="mt-2">
          <thead>
            <Tr>
              <Th>{t('day')}</Th>
              <Th isNumber>{t('paid')}</Th>
              <Th isNumber>{t('failed')}</Th>
              <Th isNumber>{t('expired')}</Th>
              <Th isNumber>{t('refunded')}</Th>
            </Tr>
          </thead>
          <tbody>
            {busy.map((day) => (
              <Tr key={day.day}>
                <Td className="figures">{day.day}</Td>
                <Td isNumber>{day.paid}</Td>
                <Td isNumber>{day.failed}</Td>
                <Td isNumber>{day.expired}</Td>
                <Td isNumber>{day.refunded}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </details>
    </figure>
  )
}

function Bar({ n, max, className }: { n: number; max: number; className: string }) {
  return n === 0 ? null : <div className={cn('min-h-1', className)} style={{ height: `${(100 * n) / max}%` }} />
}

function dayWords(day: Day, t: Translate<'agents.reliabilityRecord'>): string {
  return t('paidFailedExpiredRefunded', {
    day: day.day,
    paid: day.paid,
    failed: day.failed,
    expired: day.expired,
    refunded: day.refunded,
  })
}
