import { Check, CircleDashed, LoaderCircle } from 'lucide-react'
import { useTranslations } from 'next-intl'

type Step = { readonly label: string; readonly isDone: boolean }

/** The progress of the funding. `isUnderway`: the next step is not the reader's. */
export function FundingProgress({ steps, isUnderway }: { steps: readonly Step[]; isUnderway: boolean }) {
  const t = useTranslations('run.fundingProgress')
  const current = steps.findIndex((step) => !step.isDone)
  return (
    <ol className="mb-4 grid gap-2 sm:grid-cols-4">
      {steps.map((step, index) => {
        const Icon = step.isDone ? Check : index === current && isUnderway ? LoaderCircle : CircleDashed
        return (
          <li key={step.label} className="flex items-center gap-2 text-sm" aria-current={index === current ? 'step' : undefined}>
            <Icon
              aria-hidden
              className={`size-4 shrink-0 ${step.isDone ? 'text-good-ink' : 'text-faint'} ${Icon === LoaderCircle ? 'animate-spin' : ''}`}
            />
            <span className={index === current ? 'font-semibold' : 'text-muted'}>
              {step.label}
              <span className="sr-only">{step.isDone ? `, ${t('done')}` : ''}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
