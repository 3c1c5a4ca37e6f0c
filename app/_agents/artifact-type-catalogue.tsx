import type { inferRouterOutputs } from '@trpc/server'
import { useTranslations } from 'next-intl'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Link } from '../_components/ui/link.tsx'
import { Card, Section } from '../_components/ui/section.tsx'

type Types = inferRouterOutputs<AppRouter>['registry']['listTypes']

/** The types in use, grouped by their first word. */
export function ArtifactTypeCatalogue({ types }: { types: Types }) {
  const groups = [...Map.groupBy(types, ({ type }) => type.split('.')[0] ?? type)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <div className="grid gap-10">
      {groups.map(([word, own]) => (
        <Section key={word} title={<span className="figures">{word}</span>} id={`types-${word}`}>
          <ul className="grid gap-4 lg:grid-cols-2">
            {own.map((one) => (
              <li key={one.type} className="min-w-0">
                <TypeCard entry={one} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </div>
  )
}

function TypeCard({ entry: { type, made, taken, description, example } }: { entry: Types[number] }) {
  const t = useTranslations('agents.artifactTypeCatalogue')
  return (
    <Card className="h-full">
      <h3 className="figures break-words font-semibold text-accent-ink">{type}</h3>
      <p className="mt-1 text-sm">
        {made > 0 && (
          <Link href={`/agents?output=${type}`} className="text-link">
            {t('madeBy', { count: made })}
          </Link>
        )}
        {made > 0 && taken > 0 && ' · '}
        {taken > 0 && <span className="text-muted">{t('takenBy', { count: taken })}</span>}
      </p>
      {description !== '' && <p className="mt-2 text-muted">{description}</p>}
      {example !== null && (
        <details className="mt-3">
          <summary className="text-link min-h-6 text-sm">{t('example')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre tabIndex={0} className="figures mt-1 max-h-60 overflow-auto rounded-md border bg-sunken p-2 text-xs">
            {example}
          </pre>
        </details>
      )}
    </Card>
  )
}
