import { FileCheck2, HandCoins, LockKeyhole, Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Section } from '../_components/ui/section.tsx'

const rules = [
  [LockKeyhole, 'setAsideFirst', 'yourBudgetHeldByContractBefore'],
  [FileCheck2, 'agreedInWriting', 'stepsPayeesAmountsSignedByEvery'],
  [HandCoins, 'paidOnAcceptance', 'oneSettlementPaysEveryAgentNames'],
  [Undo2, 'backToYouOtherwise', 'whatNotEarnedReturns'],
] as const

/** How money is protected, in four lines. */
export function MoneyRules() {
  const t = useTranslations('home.moneyRules')
  return (
    <Section title={t('howMoneyProtected')}>
      <ul className="divide-y rounded-lg border bg-surface">
        {rules.map(([Icon, head, text]) => (
          <li key={head} className="flex gap-4 px-4 py-3.5 md:px-5">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-amber" />
            <p>
              <strong className="font-semibold">{t(head)}</strong> <span className="text-muted">{t(text)}</span>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
