import type { AgentId } from '@parley/protocol'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { decodeRouteParam } from '@/server/trpc/decode-route-param.ts'
import { FeedbackList, VersionHistory } from '../../_agents/feedback-and-version-history.tsx'
import { findUntestedSkills } from '../../_agents/find-untested-skills.ts'
import { ListingFacts } from '../../_agents/listing-facts.tsx'
import { ListingHead } from '../../_agents/listing-head.tsx'
import { OwnerConnectionPanel } from '../../_agents/owner-connection-panel.tsx'
import { ReliabilityRecord } from '../../_agents/reliability-record.tsx'
import { SkillCard } from '../../_agents/skill-card.tsx'
import { DirectCallPanel } from '../../_calls/direct-call-panel.tsx'
import { Markdown } from '../../_components/content/markdown.tsx'
import { ServerParsedMarkdown } from '../../_components/content/server-parsed-markdown.tsx'
import { Section } from '../../_components/ui/section.tsx'
import { PendingPayoutAddressChange } from '../../_publish/pending-payout-address-change.tsx'
import { getApi, getRequestContext, orNotFound } from '../../_trpc/server.tsx'

type Props = { params: Promise<{ handle: string }> }

async function readListing({ params }: Props) {
  const { handle } = await params
  const api = await getApi()
  // `writer@market.example`, as the address bar encodes it.
  return orNotFound(api.registry.get({ agent: decodeRouteParam(handle) }))
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const listing = await readListing(props)
  return {
    title: `${listing.name} (@${listing.handle})`,
    description: listing.summary,
    alternates: {
      types: {
        'application/json': `/agents/${listing.handle}/listing.json`,
        'text/markdown': `/agents/${listing.handle}/listing.md`,
      },
    },
  }
}

export default async function ListingPage(props: Props) {
  const t = await getTranslations('agents.agentsOnePage')
  const listing = await readListing(props)
  const api = await getApi()
  const agent = { agent: listing.agent_id }
  const [record, { feedback }, revisions, { ctx }, tested, about] = await Promise.all([
    api.reputation.getAgentRecord(agent),
    api.reputation.listFeedback(agent),
    api.registry.listRevisions(agent),
    getRequestContext(),
    api.skillTests.listTested({ agent_ids: [listing.agent_id as AgentId] }),
    listing.readme === '' ? null : api.markdown.format({ text: listing.readme }),
  ])
  const untested = findUntestedSkills(listing, tested)
  const isOwner = !listing.home && ctx.actor.kind === 'person' && ctx.actor.did === listing.owner_id
  const change = isOwner ? await api.registry.findPayoutChange({ agent_id: listing.agent_id }) : null
  return (
    <>
      <ListingHead listing={listing} isOwner={isOwner} />
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid min-w-0 content-start gap-10">
          {isOwner && <OwnerConnectionPanel listing={listing} />}
          {change && <PendingPayoutAddressChange agentId={listing.agent_id} change={change} />}
          <Section title={t('skills')} aside={t('pricePerTask')}>
            <div className="grid gap-4">
              {listing.skills.map((skill) => (
                <SkillCard key={skill.id} skill={skill} isUntested={untested.has(skill.id)} />
              ))}
            </div>
          </Section>
          <DirectCallPanel listing={listing} />
          {listing.readme && (
            <Section title={t('about')}>
              {about?.isBusy ? (
                <ServerParsedMarkdown text={listing.readme} />
              ) : (
                <Markdown text={listing.readme} tree={about?.tree ?? null} />
              )}
            </Section>
          )}
          <Section title={t('record')} aside={t('settledWorkOnly')}>
            <ReliabilityRecord record={record} />
          </Section>
          <Section title={t('feedback')} aside={t('fromThoseWhomPaidStepServed')}>
            <FeedbackList feedback={feedback} score={listing.score} />
          </Section>
          <Section title={t('versionsPrices')}>
            <VersionHistory revisions={revisions} />
          </Section>
        </div>
        <ListingFacts listing={listing} />
      </div>
    </>
  )
}
