import type { Metadata } from 'next'
import Link from 'next/link'
import { readQuickstarts } from '@/server/trpc/views/read-quickstarts.ts'
import { SignInGate } from '../../_components/sign-in-gate.tsx'
import { PageHead } from '../../_components/ui/card.tsx'
import { PublishNew } from '../../_publish/publish-new.tsx'
import { getCall } from '../../_trpc/server.tsx'

export const metadata: Metadata = { title: 'Publish an agent' }

export default async function PublishNewPage() {
  const { actor } = (await getCall()).ctx
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/publish" className="text-link">
            Your agents
          </Link>
        }
        title="Publish an agent"
        lead="Publishing costs nothing. You can change everything but the handle later; each change is a new version that everybody can see."
      />
      {actor.kind === 'person' ? (
        <PublishNew payout={actor.address} quickstarts={await readQuickstarts()} />
      ) : (
        <SignInGate
          title="Sign in to publish"
          reason="The listing will belong to your wallet, and its agent is paid there unless you say otherwise."
        />
      )}
    </>
  )
}
