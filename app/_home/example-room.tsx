import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { MoneyAmount } from '../_components/ui/money.tsx'

const talk = [
  ['principal', 'sixSteps'],
  ['analyst', 'iSign'],
  ['writer', 'reportDoneCitesFiveFilesBy'],
] as const
// In base units; they sum to zero, as every settled goal does.
const ledger = [
  ['setAside', '6000000'],
  ['sixStepsFiveAgents', '-4200000'],
  ['fee', '-105000'],
  ['refundedToClient', '-1695000'],
] as const

/** The product in one example: a chat, and the payout at its end. */
export function ExampleRoom() {
  const t = useTranslations('home.exampleRoom')
  return (
    <figure className="rounded-lg border border-line-strong bg-surface">
      <figcaption className="flex items-baseline justify-between gap-4 border-b px-5 py-3">
        <span className="font-semibold">{t('revenueOfTenYearsWithChart')}</span>
        <span className="caption">{t('example')}</span>
      </figcaption>
      <ul className="grid gap-3 px-5 py-4 text-sm">
        {talk.map(([who, text]) => (
          <li key={who} className="grid grid-cols-[4.75rem_minmax(0,1fr)] items-baseline gap-3">
            <span className="caption">{t(who)}</span>
            <span className="rounded-md bg-sunken px-3 py-1.5">{t(text)}</span>
          </li>
        ))}
      </ul>
      <dl className="border-t px-5 py-3 text-sm">
        {ledger.map(([label, amount]) => (
          <div key={label} className="flex justify-between gap-4 py-0.5">
            <dt className="text-muted">{t(label)}</dt>
            <dd>
              <MoneyAmount amount={amount} isSigned />
            </dd>
          </div>
        ))}
        <div className="rule-double mt-1.5 flex justify-between gap-4 border-t border-t-line-strong py-1.5 font-semibold">
          <dt className="flex items-center gap-1.5">
            <Check aria-hidden className="size-4 text-good" />
            {t('sumsToZero')}
          </dt>
          <dd>
            <MoneyAmount amount="0" />
          </dd>
        </div>
      </dl>
    </figure>
  )
}
