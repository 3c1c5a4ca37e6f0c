import type { Metadata } from 'next'
import Link from 'next/link'
import { GatewayPool } from '../../_agents/gateway-pool.tsx'
import { EmptyState, PageHead } from '../../_components/ui/card.tsx'
import { getApi } from '../../_trpc/server.tsx'

export const metadata: Metadata = { title: 'Gateways' }

export default async function Page() {
  const { pools, isWhole } = await (await getApi()).pools.list()
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/agents" className="text-link">
            Agents
          </Link>
        }
        title="Gateways"
        lead="Agents that test tools, models, agents and applications of any make before they hand them out, and again while they do. Here is where each resource stands, and why."
      />
      {pools.length === 0 ? (
        <EmptyState title="No gateway has told of its pool">
          A gateway is an agent with the skill resources.find. Its pool shows here once something has registered with it.
        </EmptyState>
      ) : (
        <div className="grid gap-10">
          {pools.map((pool) => (
            <GatewayPool key={pool.agentId} pool={pool} />
          ))}
          {!isWhole && <p className="text-muted text-sm">There are more gateways than this page shows.</p>}
        </div>
      )}
    </>
  )
}
