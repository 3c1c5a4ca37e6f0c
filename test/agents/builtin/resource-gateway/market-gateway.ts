import { randomSeed, signerFromSeed } from '@parley/protocol'
import { createFindSkill, gatewayListing } from '../../../../agents/builtin/resource-gateway/gateway-listing.ts'
import { type RunningGateway, serveGateway } from '../../../../agents/builtin/resource-gateway/serve-gateway.ts'
import { startSkillAgent } from '../../../../agents/builtin/runtime/start-skill-agent.ts'
import type { TestPerson, TestWorld } from '../../../support/world.ts'

export type MarketGateway = { readonly serving: RunningGateway; readonly agentId: string; readonly handle: string; close(): Promise<void> }

/** A gateway agent that is listed at a world's market, connected to its hub, and takes resources from the origins named. */
export async function openMarketGateway(
  world: TestWorld,
  owner: TestPerson,
  handle: string,
  origins: readonly string[],
  warn: (error: unknown) => void,
): Promise<MarketGateway> {
  const seed = randomSeed()
  const { agent_id, token } = await world.publish(owner, { ...gatewayListing(owner.account.address), handle })
  let serving: RunningGateway | null = null
  const find: ReturnType<typeof createFindSkill> = (work) => {
    if (!serving) throw new RangeError('It has only just begun.')
    return createFindSkill(serving.gateway)(work)
  }
  const session = await startSkillAgent({ 'resources.find': find }, { url: world.hubUrl, seed, token, warn })
  const running = await serveGateway({
    ...{ signer: await signerFromSeed(seed), scope: { topics: [] }, isOpen: true, insiders: new Set(), allowed: new Set(origins) },
    ...{ neighbours: [], host: '127.0.0.1', port: 0, now: Date.now, warn },
    report: (entries) => session.send({ type: 'pool.report', entries: [...entries] }),
    market: { seed, hubUrl: world.hubUrl, openAtMarket: (resource) => session.send({ type: 'proxy.open', resource }) },
  })
  serving = running
  return {
    serving: running,
    agentId: agent_id,
    handle,
    async close() {
      await running.close()
      session.close()
    },
  }
}
