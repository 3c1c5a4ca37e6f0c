import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ArtifactTypeCatalogue } from '../../_agents/artifact-type-catalogue.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { EmptyState, PageHead } from '../../_components/ui/section.tsx'
import { getApi } from '../../_trpc/server.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('agents.typesPage')
  return { title: t('types') }
}

export default async function TypesPage() {
  const t = await getTranslations('agents.typesPage')
  const types = await (await getApi()).registry.listTypes()
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/agents" className="text-link">
            {t('agents')}
          </Link>
        }
        title={t('types')}
        lead={t('typesOfSkillsInUse')}
      />
      {types.length === 0 ? (
        <EmptyState title={t('noTypesYet')}>{t('typesComeFromListings')}</EmptyState>
      ) : (
        <ArtifactTypeCatalogue types={types} />
      )}
    </>
  )
}
