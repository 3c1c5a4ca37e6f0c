import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { GatewayResourcePool } from '../../_agents/gateway-resource-pool.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { EmptyState, PageHead } from '../../_components/ui/section.tsx'
import { getApi } from '../../_trpc/server.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('agents.gatewaysPage')
  return { title: t('gateways') }
}

export default async function Page() {
  const t = await getTranslations('agents.gatewaysPage')
  const { pools, isWhole } = await (await getApi()).pools.list()
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/agents" className="text-link">
            {t('agents')}
          </Link>
        }
        title={t('gateways')}
        lead={t('agentsTestToolsModelsAgents')}
      />
      {pools.length === 0 ? (
        <EmptyState title={t('noGatewayHasToldOfPool')}>{t('gatewayAgentWithSkillResourcesFind')}</EmptyState>
      ) : (
        <div className="grid gap-10">
          {pools.map((pool) => (
            <GatewayResourcePool key={pool.agentId} pool={pool} />
          ))}
          {!isWhole && <p className="text-muted text-sm">{t('thereMoreGatewaysThanPageShows')}</p>}
        </div>
      )}
    </>
  )
}
