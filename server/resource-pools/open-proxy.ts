import { addressOf, type OpenProxy, type PersonDid, readAdmission } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { type Actor, actingAs, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { issueAgentToken } from '../identity/index.ts'
import { permit } from '../policy/index.ts'
import { getListing, publishProxy, writeVersion } from '../registry/index.ts'
import { poolNotGateway, proxyRefused } from './errors.ts'
import { findResourcePoolEntry } from './find-resource-pool-entry.ts'
import { maxProxies, proxyListingDraft } from './proxy-listing-draft.ts'
import { gatewaySkill } from './report-pool.ts'

/**
 * Lists a resource of the gateway agent's public pool, or updates its listing from the current admission. The gateway's owner owns the
 * listing; the resource's operator is paid. `token`: for the agent that acts as the proxy, shown once.
 * @throws pool.not_gateway, pool.proxy_refused
 */
export async function openProxy(ctx: Context, input: OpenProxy): Promise<{ agent_id: string; handle: string; token: string }> {
  await permit(ctx, 'proxy.open')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw poolNotGateway('', gatewaySkill)
  const { agentId } = actor
  const { resource } = input
  const gateway = await getListing(ctx, agentId)
  if (gateway.withdrawn_at !== null || !gateway.skills.some((skill) => skill.id === gatewaySkill))
    throw poolNotGateway(agentId, gatewaySkill)
  // The publisher must be accountable to this market. The owner of a foreign agent is not.
  if (gateway.home) throw proxyRefused(resource, `its gateway is listed at ${gateway.home.origin}.`)
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "listing" where "agentId" = ${agentId} for update`
    const entry = await findResourcePoolEntry(tx, agentId, resource)
    if (entry?.pool !== 'public') throw proxyRefused(resource, 'it is not in the public pool of this gateway.')
    if (entry.state !== 'admitted' && entry.state !== 'demoted') throw proxyRefused(resource, `it is ${entry.state}.`)
    const read = await readAdmission(entry.admission, actor.did, tx.clock.now().getTime())
    if (read.fault !== null) throw proxyRefused(resource, `its admission is invalid. ${read.fault}`)
    const fronted = proxyListingDraft(read.value, { agentId, handle: gateway.handle }, tx.market.chainId)
    if ('fault' in fronted) throw proxyRefused(resource, fronted.fault)
    const { draft: listing } = fronted
    const fields = { resource, gateway: agentId, fingerprint: read.value.fingerprint }
    if (entry.proxyId !== null) {
      const proxy = await getListing(tx, entry.proxyId)
      if (proxy.withdrawn_at !== null) throw proxyRefused(resource, 'its owner has withdrawn its proxy.')
      // The gateway agent's key alone cannot change a payout: its owner must sign.
      if (proxy.payout !== listing.payout)
        throw proxyRefused(resource, `its proxy pays ${proxy.payout}. The owner of the listing must first sign the new payout address.`)
      const { version } = await writeVersion(tx, entry.proxyId, listing)
      await appendAudit(tx, { stream: entry.proxyId, action: 'proxy.open', after: { ...fields, version } })
      return { agent_id: entry.proxyId, handle: listing.handle, token: await issueAgentToken(tx, entry.proxyId) }
    }
    const open = await tx.db.poolEntry.count({ where: { agentId, proxy: { withdrawnAt: null } } })
    if (open >= maxProxies) throw proxyRefused(resource, `the gateway has ${maxProxies} proxy listings, which is the maximum.`)
    const { agent_id, token } = await publishProxy(actingAs(tx, ownerOf(gateway.owner_id)), listing)
    await tx.db.poolEntry.update({ where: { agentId_resource: { agentId, resource } }, data: { proxyId: agent_id } })
    await appendAudit(tx, { stream: agent_id, action: 'proxy.open', after: { ...fields, version: 1 } })
    return { agent_id, handle: listing.handle, token }
  })
}

function ownerOf(did: string): Actor {
  return { kind: 'person', did: did as PersonDid, address: addressOf(did as PersonDid), isOperator: false }
}
