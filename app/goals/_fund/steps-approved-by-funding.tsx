'use client'
import type { Charter } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { MoneyAmount } from '../../_components/ui/money.tsx'

/** The steps that the signature approves, with what each is paid. */
export function StepsApprovedByFunding({ charter }: { charter: Charter }) {
  const t = useTranslations('run.fundByWalletPanel')
  return (
    <div className="mt-3 grid gap-1 text-sm">
      <p>{t('signatureApprovesTeam')}</p>
      <ol className="grid gap-1">
        {charter.steps.map((step) => (
          <li key={step.step} className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 break-words">
              {step.step}. {step.title}
              <span className="figures block break-all text-muted text-xs">{t('paidTo', { payee: step.payee })}</span>
            </span>
            <MoneyAmount amount={BigInt(step.amount)} />
          </li>
        ))}
      </ol>
    </div>
  )
}
