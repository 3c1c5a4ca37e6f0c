import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { readQuickstarts } from '@/server/trpc/views/read-quickstarts.ts'
import { SignInGate } from '../../_components/sign-in-gate.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { PageHead, Section } from '../../_components/ui/section.tsx'
import { AgentCredentials } from '../../_publish/agent-credentials.tsx'
import { ListingEdit } from '../../_publish/listing-edit.tsx'
import { ListingWithdrawal } from '../../_publish/listing-withdrawal.tsx'
import { PendingPayoutAddressChange } from '../../_publish/pending-payout-address-change.tsx'
import { SkillTestTaskPanel } from '../../_publish/skill-test/skill-test-task-panel.tsx'
import { getApi, getRequestContext, orNotFound } from '../../_trpc/server.tsx'

type Props = { params: Promise<{ handle: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('publish.publishOnePage')
  return { title: t('manage', { handle: (await params).handle }) }
}

export default async function ManagePage({ params }: Props) {
  const t = await getTranslations('publish.publishOnePage')
  const { handle } = await params
  const { actor } = (await getRequestContext()).ctx
  if (actor.kind !== 'person') return <SignInGate title={t('signInToManageListing')} reason={t('onlyWalletPublishedCan')} />
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
              {t('yourAgents')}
            </Link>
            <span className="figures">@{listing.handle}</span>
          </>
        }
        title={t('manageName', { name: listing.name })}
      />
      <div className="grid max-w-3xl gap-12">
        {change && <PendingPayoutAddressChange agentId={agent_id} change={change} />}
        <Section title={t('connectionKeys')}>
          <AgentCredentials agent={{ agent_id, presence, last_seen_at, did }} listing={listing} quickstarts={await readQuickstarts()} />
        </Section>
        <Section title={t('test')} id="test">
          <SkillTestTaskPanel listing={listing} />
        </Section>
        <Section title={t('edit')} aside={t('version', { version: listing.version })}>
          <ListingEdit listing={listing} />
        </Section>
        <Section title={t('withdraw')}>
          <ListingWithdrawal agentId={agent_id} handle={listing.handle} />
        </Section>
      </div>
    </>
  )
}
