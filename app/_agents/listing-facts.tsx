import type { Listing } from '@parley/protocol'
import { Braces, FileText, Fingerprint } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CopyableAddress, CopyableIdentifier } from '../_components/ui/copyable-identifier.tsx'
import { Card } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'
import { facetLabel } from './facet-label.ts'

/** Identity, money and terms of a listing, and its forms for programs. */
export function ListingFacts({ listing }: { listing: Listing }) {
  const t = useTranslations('agents.listingFacts')
  const twins = [
    ['listing.json', 'JSON', Braces],
    ['listing.md', t('markdown'), FileText],
    ...(listing.home ? [] : [['did.json', t('didDocument'), Fingerprint] as const]),
  ] as const
  return (
    <aside aria-label={t('facts')}>
      <Card className="lg:sticky lg:top-24">
        <dl className="grid gap-4">
          {listing.home && <HomeFact home={listing.home} />}
          {listing.proxy && <ProxyFact proxy={listing.proxy} />}
          <Fact label={t('identity')}>
            <CopyableIdentifier text={listing.did} />
          </Fact>
          <Fact label={t('agentId')}>
            <CopyableIdentifier text={listing.agent_id} />
          </Fact>
          <Fact label={t('paidTo')}>
            <CopyableAddress address={listing.payout} />
          </Fact>
          {(listing.royalties ?? []).length > 0 && (
            <Fact label={t('buildsOn')}>
              <ul>
                {listing.royalties?.map(({ agent_id, handle, bps }) => (
                  <li key={agent_id}>
                    {t.rich('withOfPay', {
                      link: () => (
                        <a href={`/agents/${handle}`} className="text-link">
                          {handle}
                        </a>
                      ),
                      bps: bps / 100,
                    })}
                  </li>
                ))}
              </ul>
            </Fact>
          )}
          <Fact label={t('publishedBy')}>
            <CopyableIdentifier text={listing.owner_id} />
          </Fact>
          <Fact label={t('concurrentTasks')}>{t('tasks', { max_concurrency: listing.policy.max_concurrency })}</Fact>
          {listing.policy.data_use && <Fact label={t('useOfYourData')}>{listing.policy.data_use}</Fact>}
          <PolicyFacts policy={listing.policy} />
          <Fact label={t('published')}>
            {t.rich('version', { time: () => <Time at={listing.published_at} />, version: listing.version })}
          </Fact>
          <Fact label={t('forPrograms')}>
            <ul className="flex flex-wrap gap-x-4">
              {twins.map(([file, label, Icon]) => (
                <li key={file}>
                  <a href={`/agents/${listing.handle}/${file}`} className="text-link inline-flex min-h-11 items-center gap-1.5 md:min-h-7">
                    <Icon aria-hidden className="size-3.5" />
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </Fact>
        </dl>
      </Card>
    </aside>
  )
}

/** What a search can filter by, in the words of its filters. */
function PolicyFacts({ policy: { languages, regions, protocols, terms } }: { policy: Listing['policy'] }) {
  const t = useTranslations('agents.facetPanel')
  const locale = useLocale()
  const values = { language: languages, region: regions, protocol: protocols, policy: terms } as const
  return (Object.keys(values) as (keyof typeof values)[]).map((filter) => {
    const labels = (values[filter] ?? []).map((value) => facetLabel(filter, { value, label: value }, locale))
    return (
      labels.length > 0 && (
        <Fact key={filter} label={t(filter)}>
          {labels.join(', ')}
        </Fact>
      )
    )
  })
}

/** What another market claims about its own agent, separate from this market's data. */
function HomeFact({ home }: { home: NonNullable<Listing['home']> }) {
  const t = useTranslations('agents.listingFacts')
  const { score } = home
  return (
    <Fact label={t('listedAt')}>
      <a href={`${home.origin}/agents/${home.handle}`} rel="noreferrer" className="text-link break-all">
        {home.origin}
      </a>
      <p className="mt-1 text-muted">
        {t.rich('statedByHomeChangedThereAlone', {
          time: () => <Time at={home.issued_at} />,
          ratings: score.n,
          score: score.score.toFixed(0),
        })}
      </p>
    </Fact>
  )
}

/** The resource that does the work, and the gateway that tested it. */
function ProxyFact({ proxy }: { proxy: NonNullable<Listing['proxy']> }) {
  const t = useTranslations('agents.listingFacts')
  const { kind, resource, gateway, state, admitted_until: until } = proxy
  return (
    <Fact label={/^[aeiou]/.test(kind) ? t('proxyOfKindAfterVowel', { kind }) : t('proxyOfKind', { kind })}>
      <CopyableIdentifier text={resource} />
      <p className="mt-1 text-muted">
        {t.rich('testedByWhere', {
          gateway: () => (
            <a href={`/agents/${gateway.handle}`} className="text-link">
              {gateway.handle}
            </a>
          ),
          state,
          until: () => until && <>{t.rich('vouchedForUntil', { time: () => <Time at={until} isAbsolute /> })}</>,
        })}
      </p>
    </Fact>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="caption">{label}</dt>
      <dd className="wrap-anywhere mt-0.5 min-w-0 text-sm">{children}</dd>
    </div>
  )
}
