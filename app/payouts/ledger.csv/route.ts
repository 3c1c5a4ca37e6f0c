import { formatAmount } from '@parley/protocol'
import { getTranslations } from 'next-intl/server'
import { getApi, getRequestContext } from '@/app/_trpc/server.tsx'
import { csvRow } from '@/app/_views/injection-safe-csv-format.ts'

export const dynamic = 'force-dynamic'

const columns = [
  'at',
  'memo',
  'goal_id',
  'account',
  'asset',
  'debit',
  'credit',
  'debit_base_units',
  'credit_base_units',
  'tx',
  'transfer_id',
]

/** The person's ledger as CSV, one line of a transfer per row: decimals to read, base units to add. */
export async function GET(): Promise<Response> {
  const { ctx } = await getRequestContext()
  if (ctx.actor.kind !== 'person') {
    const t = await getTranslations('views.file')
    return new Response(`${t('signInFirst')}\n`, { status: 401, headers: { 'content-type': 'text/plain; charset=utf-8' } })
  }
  const { ledger } = await (await getApi()).settlement.getMine()
  const { decimals } = ctx.market
  const rows = ledger.flatMap((transfer) =>
    transfer.entries.map((entry) =>
      csvRow([
        transfer.at.toISOString(),
        transfer.memo,
        transfer.goalId,
        entry.account,
        entry.asset,
        formatAmount(entry.debit, decimals),
        formatAmount(entry.credit, decimals),
        entry.debit,
        entry.credit,
        transfer.tx,
        transfer.id,
      ]),
    ),
  )
  return new Response([csvRow(columns), ...rows].join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="parley-ledger.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}
