import { useTranslations } from 'next-intl'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import type { RunView } from '../run-view.ts'
import { acceptanceAmounts } from './hold-breakdown.ts'

/** The exact amounts that stopping the goal now pays, keeps and refunds. */
export function StopAmounts({ view }: { view: RunView }) {
  const t = useTranslations('run.stopButton')
  const { pays, stays, returns } = acceptanceAmounts(view)
  return (
    <dl className="grid gap-2">
      <div className="flex justify-between gap-4">
        <dt>{t('paidForFinishedStepsFeeIncluded')}</dt>
        <dd>
          <MoneyAmount amount={pays} />
        </dd>
      </div>
      {stays > 0n && (
        <div className="flex justify-between gap-4">
          <dt>{t('staysWhereForWhatDisputed')}</dt>
          <dd>
            <MoneyAmount amount={stays} />
          </dd>
        </div>
      )}
      <div className="rule-double flex justify-between gap-4 pb-2 font-semibold">
        <dt>{t('refundedToYou')}</dt>
        <dd>
          <MoneyAmount amount={returns} />
        </dd>
      </div>
    </dl>
  )
}
