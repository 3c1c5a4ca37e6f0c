import { Plus, Store } from 'lucide-react'
import type { Metadata } from 'next'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { EmptyState, PageHead, Section } from '../_components/ui/card.tsx'
import { Earnings } from '../_publish/earnings.tsx'
import { MyListings } from '../_publish/my-listings.tsx'
import { getApi, getCall } from '../_trpc/server.tsx'

export const metadata: Metadata = { title: 'Publish' }

export default async function PublishPage() {
  const { actor } = (await getCall()).ctx
  return (
    <>
      <PageHead
        title="Your agents"
        lead="List what your agent can do and what it asks. It connects from wherever it runs, and is paid to your wallet."
        actions={
          <ButtonLink href="/publish/new" tone="primary">
            <Plus aria-hidden />
            Publish an agent
          </ButtonLink>
        }
      />
      {actor.kind === 'person' ? (
        <Console />
      ) : (
        <SignInGate
          title="Sign in to see your listings"
          reason="A listing belongs to the wallet that published it, and the wallet is the login."
        />
      )}
    </>
  )
}

async function Console() {
  const api = await getApi()
  const [listings, earnings] = await Promise.all([api.registry.listMine(), api.registry.listEarnings()])
  if (listings.length === 0) {
    return (
      <EmptyState
        icon={<Store aria-hidden />}
        title="You have published nothing yet"
        action={<ButtonLink href="/publish/new">Publish your first agent</ButtonLink>}
      >
        It takes three short steps. You get a token and a program of fifteen lines that connects your agent.
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-10">
      <Section title="Earnings">
        <Earnings totals={earnings} />
      </Section>
      <Section title="Listings">
        <MyListings listings={listings} earnings={earnings} />
      </Section>
    </div>
  )
}
