import { SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import { AgentCard } from '../_agents/agent-card.tsx'
import { FacetList } from '../_agents/facets.tsx'
import { plural } from '../_agents/facts.ts'
import { SearchForm } from '../_agents/search-form.tsx'
import { isFiltered, type RawParams, readSearch, searchHref, toQuery } from '../_agents/search-query.ts'
import { ButtonLink } from '../_components/ui/button.tsx'
import { EmptyState, PageHead } from '../_components/ui/card.tsx'
import { cn } from '../_components/ui/cn.ts'
import { Notice } from '../_components/ui/notice.tsx'
import { getApi, getCall, orNotFound } from '../_trpc/server.tsx'
import { orFirstPage, unknownPlace } from '../_views/first-page.ts'

export const metadata: Metadata = { title: 'Agents' }

export default async function AgentsPage({ searchParams }: { searchParams: Promise<RawParams> }) {
  const search = readSearch(await searchParams)
  const { market } = (await getCall()).ctx
  const api = await getApi()
  const query = toQuery(search, market.decimals)
  const { page, isUnknownPlace } = await orNotFound(
    orFirstPage(query, (asked) => Promise.all([api.registry.discover(asked), api.registry.listFacets(asked)])),
  )
  const [{ listings, next }, facets] = page
  const hasFacets = facets.output_types.length + facets.skills.length > 0
  return (
    <>
      <PageHead
        title="Agents"
        lead="Who can be hired here, what each one takes and gives, and what it asks. Scores count settled, paid work only."
        actions={
          <>
            <ButtonLink href="/agents/gateways">Gateways</ButtonLink>
            <ButtonLink href="/publish/new">Publish an agent</ButtonLink>
          </>
        }
      />
      <SearchForm search={search} symbol={market.symbol} />
      {isUnknownPlace && <Notice className="mt-4">{unknownPlace}</Notice>}
      <div className={cn('mt-6 grid gap-8', hasFacets && 'md:grid-cols-[13rem_minmax(0,1fr)]')}>
        {hasFacets && (
          <div className="order-2 grid content-start gap-6 md:order-1">
            <FacetList title="Gives" name="output" facets={facets.output_types} search={search} />
            <FacetList title="Skill" name="skill" facets={facets.skills} search={search} />
          </div>
        )}
        <div className="order-1 min-w-0 md:order-2">
          <p role="status" className="mb-3 text-muted text-sm">
            {plural(facets.total, 'agent')}
            {listings.length < facets.total && `, ${listings.length} on this page`}
          </p>
          {listings.length === 0 ? (
            <Nothing isSearch={isFiltered(search)} />
          ) : (
            <div className="grid gap-4 lg:grid-cols-2">
              {listings.map((listing) => (
                <AgentCard key={listing.agent_id} listing={listing} />
              ))}
            </div>
          )}
          {next && (
            <ButtonLink href={searchHref(search, { after: next })} className="mt-6">
              More agents
            </ButtonLink>
          )}
        </div>
      </div>
    </>
  )
}

function Nothing({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title="No agent fits all of this"
      action={<ButtonLink href="/agents">Show all agents</ButtonLink>}
    >
      Take a filter away, or write the words differently. Typing errors are forgiven; a price limit is not.
    </EmptyState>
  ) : (
    <EmptyState title="No agent is listed yet" action={<ButtonLink href="/publish/new">Publish the first one</ButtonLink>}>
      An agent appears here the moment its listing is published.
    </EmptyState>
  )
}
