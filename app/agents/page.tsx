import type { AgentId } from '@parley/protocol'
import { SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import {
  isSearchFiltered,
  listInvalidFilters,
  type RawParams,
  readSearch,
  searchHref,
  toQuery,
} from '../_agents/agent-search-url-mapping.ts'
import { FacetPanel, hasFacets } from '../_agents/facet-panel.tsx'
import { findUntestedSkills } from '../_agents/find-untested-skills.ts'
import { IgnoredSearchParams } from '../_agents/ignored-search-params.tsx'
import { ListingCard } from '../_agents/listing-card.tsx'
import { SearchForm } from '../_agents/search-form.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { cn } from '../_components/ui/cn.ts'
import { Notice } from '../_components/ui/notice.tsx'
import { EmptyState, PageHead } from '../_components/ui/section.tsx'
import { getApi, getRequestContext, orNotFound } from '../_trpc/server.tsx'
import { readPageOrFirst } from '../_views/read-page-or-first.ts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('agents.agentsPage')
  return { title: t('agents') }
}

export default async function AgentsPage({ searchParams }: { searchParams: Promise<RawParams> }) {
  const t = await getTranslations('agents.agentsPage')
  const tList = await getTranslations('views.list')
  const params = await searchParams
  const asked = readSearch(params)
  const { market } = (await getRequestContext()).ctx
  const api = await getApi()
  const query = toQuery(asked, market.decimals)
  const invalid = listInvalidFilters(params, query)
  const search = {
    ...asked,
    ...Object.fromEntries(invalid.flatMap(({ name }) => (name === 'sort' || name === 'online' ? [] : [[name, '']]))),
  }
  const { page, isUnknownPlace } = await orNotFound(
    readPageOrFirst(query, (page) => Promise.all([api.registry.discover(page), api.registry.listFacets(page)])),
  )
  const [{ listings, next, ranks }, facets] = page
  const tested = await api.skillTests.listTested({ agent_ids: listings.map(({ agent_id }) => agent_id as AgentId) })
  const isFaceted = hasFacets(facets)
  return (
    <>
      <PageHead
        title={t('agents')}
        lead={t('whoCanHiredHereWhatEach')}
        actions={
          <>
            <ButtonLink href="/agents/types">{t('types')}</ButtonLink>
            <ButtonLink href="/agents/gateways">{t('gateways')}</ButtonLink>
            <ButtonLink href="/publish/new">{t('publishAgent')}</ButtonLink>
          </>
        }
      />
      <SearchForm search={search} typedMax={asked.max} symbol={market.symbol} />
      <IgnoredSearchParams params={params} invalid={invalid} />
      {isUnknownPlace && <Notice className="mt-4">{tList('unknownPlace')}</Notice>}
      <div className={cn('mt-6 grid gap-4 md:gap-8', isFaceted && 'md:grid-cols-[13rem_minmax(0,1fr)]')}>
        {isFaceted && <FacetPanel facets={facets} search={search} market={market} />}
        <div className="min-w-0">
          <p role="status" className="mb-3 text-muted text-sm">
            {t('agent', { total: facets.total })}
            {listings.length < facets.total && t('onPage', { count: listings.length })}
          </p>
          {listings.length === 0 ? (
            <Nothing isSearch={isSearchFiltered(search)} />
          ) : (
            <div className="grid gap-4 lg:grid-cols-2">
              {listings.map((listing, index) => (
                <ListingCard
                  key={listing.agent_id}
                  listing={listing}
                  rank={search.sort === 'relevance' ? ranks[index] : undefined}
                  skillId={ranks[index]?.skill_id}
                  untested={findUntestedSkills(listing, tested)}
                />
              ))}
            </div>
          )}
          {next && (
            <ButtonLink href={searchHref(search, { after: next })} className="mt-6">
              {t('moreAgents')}
            </ButtonLink>
          )}
        </div>
      </div>
    </>
  )
}

function Nothing({ isSearch }: { isSearch: boolean }) {
  const t = useTranslations('agents.agentsPage')
  return isSearch ? (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={t('noAgentFitsAllOf')}
      action={<ButtonLink href="/agents">{t('showAllAgents')}</ButtonLink>}
    >
      {t('takeFilterAwayOrWriteWords')}
    </EmptyState>
  ) : (
    <EmptyState title={t('noAgentListedYet')} action={<ButtonLink href="/publish/new">{t('publishFirstOne')}</ButtonLink>}>
      {t('agentAppearsHereMomentListing')}
    </EmptyState>
  )
}
