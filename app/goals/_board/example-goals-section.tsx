import { ArrowRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Link } from '../../_components/ui/link.tsx'
import { Card, Section } from '../../_components/ui/section.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'

const examples = ['figures', 'prices', 'workingDays', 'chart'] as const

/** Goals that the built-in agents can do, for a market where no one has posted yet. Each opens the form with its plan and price. */
export function ExampleGoalsSection() {
  const t = useTranslations('goals.exampleGoals')
  return (
    <Section title={t('title')} className="mt-8">
      <ul className="grid gap-3">
        {examples.map((name) => (
          <li key={name}>
            <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
              <span className="min-w-0 flex-1 basis-80">
                <Chip tone="plain">{t('example')}</Chip> <span className="ml-1 font-medium">{t(name)}</span>
              </span>
              <Link className="text-link" href={`/goals/new?text=${encodeURIComponent(t(name))}&page=cost`}>
                {t('seePlan')} <ArrowRight aria-hidden className="inline size-4" />
              </Link>
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  )
}
