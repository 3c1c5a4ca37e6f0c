import { AgentId } from '@parley/protocol'
import { Plus, Store } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { EmptyState, PageHead, Section } from '../_components/ui/card.tsx'
import { Earnings } from '../_publish/earnings.tsx'
import { MyListings } from '../_publish/my-listings.tsx'
import { getApi, getCall } from '../_trpc/server.tsx'

export const metadata: Metadata = { title: 'Publish' }

type Props = { searchParams: Promise<{ after?: string | string[] }> }

export default async function PublishPage({ searchParams }: Props) {
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
        <Console after={placeIn((await searchParams).after)} />
      ) : (
        <SignInGate
          title="Sign in to see your listings"
          reason="A listing belongs to the wallet that published it, and the wallet is the login."
        />
      )}
    </>
  )
}

function placeIn(after: string | string[] | undefined): string | undefined {
  return AgentId.safeParse(after).data
}

async function Console({ after }: { after: string | undefined }) {
  const api = await getApi()
  const [{ listings, next }, earnings] = await Promise.all([api.registry.listMine({ after }), api.registry.listEarnings()])
  if (listings.length === 0 && after === undefined) {
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
        <nav aria-label="Pages of your listings" className="mt-3 flex justify-between gap-4">
          {after !== undefined && (
            <Link href="/publish" className="text-link">
              First page
            </Link>
          )}
          {next !== null && (
            <Link href={`/publish?after=${next}`} className="text-link">
              More listings
            </Link>
          )}
        </nav>
      </Section>
    </div>
  )
}
