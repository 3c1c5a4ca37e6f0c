import { poolStates } from '@parley/protocol'
import type { inferRouterOutputs } from '@trpc/server'
import { useTranslations } from 'next-intl'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { Link } from '../_components/ui/link.tsx'
import { Card, Section } from '../_components/ui/section.tsx'
import { Chip, StateChip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'

type Pool = inferRouterOutputs<AppRouter>['pools']['list']['pools'][number]
type Resource = Pool['resources'][number]

/** One gateway and its resources, the latest change first. */
export function GatewayResourcePool({ pool }: { pool: Pool }) {
  const t = useTranslations('agents.gatewayResourcePool')
  const all = poolStates.reduce((sum, state) => sum + pool.counts[state], 0)
  const parts = poolStates.filter((state) => pool.counts[state] > 0)
  return (
    <Section
      title={
        <Link href={`/agents/${pool.handle}`} className="text-link">
          {pool.name}
        </Link>
      }
      aside={<StateChip of="presence" state={pool.presence} />}
    >
      <p className="mb-3 max-w-prose text-muted text-sm">{pool.summary}</p>
      <ul aria-label={t('resourcesOfByState', { name: pool.name })} className="mb-4 flex flex-wrap gap-x-4 gap-y-2">
        {parts.map((state) => (
          <li key={state} className="inline-flex items-center gap-1.5 text-sm">
            <StateChip of="resource" state={state} />
            <span className="figures">{pool.counts[state]}</span>
          </li>
        ))}
      </ul>
      <ul aria-label={t('resourcesOf', { name: pool.name })} className="grid gap-3 lg:grid-cols-2">
        {pool.resources.map((resource) => (
          <li key={resource.resource}>
            <Card className="grid h-full content-start gap-2">
              <ResourceFacts resource={resource} />
            </Card>
          </li>
        ))}
      </ul>
      {pool.resources.length < all && (
        <p className="mt-3 text-muted text-sm">{t('latestOfResources', { count: pool.resources.length, all })}</p>
      )}
    </Section>
  )
}

function ResourceFacts({ resource }: { resource: Resource }) {
  const t = useTranslations('agents.gatewayResourcePool')
  const { name, kind, state, reason, summary, skills, topics, region, pool, testedAt, changedAt } = resource
  const places = [...(region === null ? [] : [region]), ...topics]
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 break-words font-semibold">
          {name} <span className="font-normal text-muted">{kind}</span>
        </h3>
        <span className="inline-flex flex-wrap gap-2">
          {pool === 'private' && <Chip>{t('private')}</Chip>}
          <StateChip of="resource" state={state} />
        </span>
      </div>
      {summary && <p className="break-words text-muted text-sm">{summary}</p>}
      <p className={`text-sm [overflow-wrap:anywhere] ${state === 'evicted' ? 'text-bad-ink' : ''}`}>{reason}</p>
      <p className="figures break-words text-muted text-xs">{[...skills, ...places].join(' · ')}</p>
      <p className="text-muted text-sm">
        {t.rich('since', { time: () => <Time at={changedAt} /> })}
        {testedAt !== null && <>{t.rich('lastTested', { time: () => <Time at={testedAt} /> })}</>}
      </p>
    </>
  )
}
