import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { readQuickstarts } from '@/server/trpc/views/read-quickstarts.ts'
import { SignInGate } from '../../_components/sign-in-gate.tsx'
import { PageHead, Section } from '../../_components/ui/card.tsx'
import { ListingEdit, ListingWithdrawal } from '../../_publish/listing-edit.tsx'
import { ListingKeys } from '../../_publish/listing-keys.tsx'
import { PayoutChange } from '../../_publish/payout-change.tsx'
import { getApi, getCall, orNotFound } from '../../_trpc/server.tsx'

type Props = { params: Promise<{ handle: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Manage @${(await params).handle}` }
}

export default async function ManagePage({ params }: Props) {
  const { handle } = await params
  const { actor } = (await getCall()).ctx
  if (actor.kind !== 'person') return <SignInGate title="Sign in to manage this listing" reason="Only the wallet that published it can." />
  const api = await getApi()
  const listing = await orNotFound(api.registry.get({ agent: handle }))
  if (listing.owner_id !== actor.did || listing.withdrawn_at || listing.home) notFound()
  const { agent_id, presence, last_seen_at, did } = listing
  const change = await api.registry.findPayoutChange({ agent_id })
  return (
    <>
      <PageHead
        eyebrow={
          <>
            <Link href="/publish" className="text-link">
              Your agents
            </Link>
            <span className="figures">@{listing.handle}</span>
          </>
        }
        title={`Manage ${listing.name}`}
      />
      <div className="grid max-w-3xl gap-12">
        {change && <PayoutChange agentId={agent_id} change={change} />}
        <Section title="Connection and keys">
          <ListingKeys agent={{ agent_id, presence, last_seen_at, did }} quickstarts={await readQuickstarts()} />
        </Section>
        <Section title="Edit" aside={`Version ${listing.version}`}>
          <ListingEdit listing={listing} />
        </Section>
        <Section title="Withdraw">
          <ListingWithdrawal agentId={agent_id} handle={listing.handle} />
        </Section>
      </div>
    </>
  )
}
