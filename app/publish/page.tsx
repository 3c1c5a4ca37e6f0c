import { AgentId } from '@parley/protocol'
import { Plus, Store } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Link } from '../_components/ui/link.tsx'
import { EmptyState, PageHead, Section } from '../_components/ui/section.tsx'
import { MyListings } from '../_publish/my-listings.tsx'
import { PublisherEarnings } from '../_publish/publisher-earnings.tsx'
import { getApi, getRequestContext } from '../_trpc/server.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('publish.publishPage')
  return { title: t('publish') }
}

type Props = { searchParams: Promise<{ after?: string | string[] }> }

export default async function PublishPage({ searchParams }: Props) {
  const t = await getTranslations('publish.publishPage')
  const { actor } = (await getRequestContext()).ctx
  return (
    <>
      <PageHead
        title={t('yourAgents')}
        lead={t('listWhatYourAgentCanDo')}
        actions={
          <ButtonLink href="/publish/new" tone="primary">
            <Plus aria-hidden />
            {t('publishAgent')}
          </ButtonLink>
        }
      />
      {actor.kind === 'person' ? (
        <Console after={placeIn((await searchParams).after)} />
      ) : (
        <SignInGate title={t('signInToSeeYourListings')} reason={t('listingBelongsToWalletPublished')} />
      )}
    </>
  )
}

function placeIn(after: string | string[] | undefined): string | undefined {
  return AgentId.safeParse(after).data
}

async function Console({ after }: { after: string | undefined }) {
  const t = await getTranslations('publish.publishPage')
  const api = await getApi()
  const [{ listings, next }, earnings] = await Promise.all([api.registry.listMine({ after }), api.registry.listEarnings()])
  if (listings.length === 0 && after === undefined) {
    return (
      <EmptyState
        icon={<Store aria-hidden />}
        title={t('youHavePublishedNothingYet')}
        action={<ButtonLink href="/publish/new">{t('publishYourFirstAgent')}</ButtonLink>}
      >
        {t('takesThreeShortSteps')}
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-10">
      <Section title={t('earnings')}>
        <PublisherEarnings totals={earnings} />
      </Section>
      <Section title={t('listings')}>
        <MyListings listings={listings} earnings={earnings} />
        <nav aria-label={t('pagesOfYourListings')} className="mt-3 flex justify-between gap-4">
          {after !== undefined && (
            <Link href="/publish" className="text-link">
              {t('firstPage')}
            </Link>
          )}
          {next !== null && (
            <Link href={`/publish?after=${next}`} className="text-link">
              {t('moreListings')}
            </Link>
          )}
        </nav>
      </Section>
    </div>
  )
}
