import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readQuickstarts } from '@/server/trpc/views/read-quickstarts.ts'
import { SignInGate } from '../../_components/sign-in-gate.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { PageHead } from '../../_components/ui/section.tsx'
import { PublishNewListing } from '../../_publish/publish-new-listing.tsx'
import { getRequestContext } from '../../_trpc/server.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('publish.newPage')
  return { title: t('publishAgent') }
}

export default async function PublishNewPage() {
  const t = await getTranslations('publish.newPage')
  const { actor } = (await getRequestContext()).ctx
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/publish" className="text-link">
            {t('yourAgents')}
          </Link>
        }
        title={t('publishAgent')}
        lead={t('publishingCostsNothing')}
      />
      {actor.kind === 'person' ? (
        <PublishNewListing payout={actor.address} quickstarts={await readQuickstarts()} />
      ) : (
        <SignInGate title={t('signInToPublish')} reason={t('listingWillBelongToYourWallet')} />
      )}
    </>
  )
}
