'use client'
import { formatAmount } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { CreditCard, Wallet } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../../_components/market-provider.tsx'
import { Section } from '../../../_components/ui/section.tsx'
import { minBudgetOf } from '../_draft/goal-draft.ts'

type Rail = 'escrow' | 'stripe'

const ways = [
  {
    rail: 'escrow',
    icon: Wallet,
    name: 'fromMyWallet',
    text: 'youSignOnce',
  },
  {
    rail: 'stripe',
    icon: CreditCard,
    name: 'byCard',
    text: 'youPayNowThroughStripe',
  },
] as const

/** The payment method. `value` null: not known yet. It is chosen before posting and cannot change. Not shown with only one method. */
export function PaymentRailChoice({ rail, value, onChange }: { rail: Rail; value: bigint | null; onChange: (rail: Rail) => void }) {
  const t = useTranslations('post.paymentRailChoice')
  const trpc = useTRPC()
  const { cards, minBudget, decimals, symbol } = useMarket()
  const advice = useQuery({
    ...trpc.settlement.adviseRail.queryOptions({ value: (value ?? 0n).toString(), has_wallet: true, has_card: cards !== 'none' }),
    enabled: cards !== 'none' && value !== null,
  })
  if (cards === 'none') return null
  return (
    <Section title={t('howYouPay')} level={3}>
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="sr-only">{t('howYouPay')}</legend>
        {ways.map(({ rail: one, icon: Icon, name, text }) => (
          <label
            key={one}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-line-strong bg-surface p-4 has-checked:border-accent has-focus-visible:outline-2 has-checked:outline-1 has-checked:outline-accent has-focus-visible:outline-offset-2"
          >
            <input type="radio" name="rail" className="mt-1 accent-accent" checked={rail === one} onChange={() => onChange(one)} />
            <span>
              <span className="flex items-center gap-2 font-semibold">
                <Icon aria-hidden className="size-4" /> {t(name)}
              </span>
              <span className="mt-1 block text-muted text-sm">
                {t(text)}{' '}
                {t('atLeast', {
                  amount: formatAmount(minBudgetOf(one, minBudget), decimals),
                  currency: one === 'stripe' ? t('usdInWholeCents') : symbol,
                })}
                {one === 'stripe' && cards === 'demo' && ` ${t('testPayments')}`}
                {one === 'stripe' && cards === 'test' && ` ${t('stripesTestMode')}`}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {advice.data && (
        <p className="mt-3 text-muted text-sm">
          <strong className="text-ink">{advice.data.rail === 'card' ? t('ourAdviceByCard') : t('ourAdviceFromYourWallet')}</strong>{' '}
          {advice.data.reasons.map((reason) => reason.sentence).join(' ')}
        </p>
      )}
    </Section>
  )
}
