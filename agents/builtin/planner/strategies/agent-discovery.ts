/**
 * The tool `agent_discovery` for models: searches this market first, then gateways. A gateway's resource is listed here when it is
 * chosen.
 */
import type { Json } from '@parley/protocol'
import { z } from 'zod'
import type { ResourceOffer } from '../../resource-gateway/discovery/resource-finder.ts'
import { rankOffers } from '../intent/rank-offers.ts'
import type { ModelTool } from '../llm/openai-chat.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { describeOffer } from './model-plan.ts'
import type { PlanningInput } from './strategy.ts'

const maxQueries = 8
const maxFound = 12
/** Gateway searches for one plan. */
const maxAbroad = 8

const Queries = z.object({
  queries: z.array(z.string()).describe('A few words each: what is to be made.'),
  elsewhere: z.boolean().describe('Ask gateways as well, because none of those found on this market will do.'),
})
const Asked = Queries.partial({ elsewhere: true })

export const discoveryTool: ModelTool = {
  name: 'agent_discovery',
  description: 'Finds agents by what their skills make: on this market first, then through gateways.',
  parameters: Queries,
}

export type Discovery = {
  /** Offers by number: this market's, then those that gateways have named, in order. */
  readonly offers: readonly SkillOffer[]
  search(args: unknown): Promise<Json>
  /** The offer to hire; a gateway's resource is listed first. Null if that fails. */
  hire(offer: SkillOffer): Promise<SkillOffer | null>
}

/** @param local offers of this market */
export function createAgentDiscovery(
  { gatewayMarket: elsewhere, decimals, payable }: PlanningInput,
  local: readonly SkillOffer[],
): Discovery {
  const offers = [...local]
  const foreign = new Map<SkillOffer, ResourceOffer>()
  const opened = new Map<string, Promise<readonly SkillOffer[]>>()
  let asked = 0

  async function abroad(query: string): Promise<SkillOffer[]> {
    if (!elsewhere || asked >= maxAbroad) return []
    asked += 1
    return (await elsewhere.find(query.slice(0, 400))).flatMap((found) => named(found))
  }

  /** A resource's skills as offers. A resource that was found before keeps its name. */
  function named(found: ResourceOffer): SkillOffer[] {
    const { resource } = found.admission
    const known = offers.filter((offer) => foreign.has(offer) && offer.agent_id === resource)
    if (known.length > 0) return known
    const count = new Set([...foreign.keys()].map((offer) => offer.agent_id)).size
    const added = found.admission.skills
      .filter((skill) => BigInt(skill.price) <= payable)
      .map((skill) => prospectOf(found, skill, `elsewhere-${count + 1}`))
    for (const offer of added) foreign.set(offer, found)
    offers.push(...added)
    return added
  }

  return {
    offers,
    async search(args) {
      const read = Asked.safeParse(args)
      if (!read.success) return { fault: 'agent_discovery takes {"queries": [text, …], "elsewhere": true or false}.' }
      const { queries, elsewhere: wantsMore } = read.data
      const answers: Json[] = []
      for (const query of queries.slice(0, maxQueries)) {
        const here = rankOffers(query, local).slice(0, maxFound)
        const there = here.length === 0 || wantsMore ? await abroad(query) : []
        answers.push({ query, agents: [...here, ...there].map((offer) => describeOffer(offer, offers.indexOf(offer), decimals)) })
      }
      return answers
    },
    async hire(offer) {
      const found = foreign.get(offer)
      if (!found || !elsewhere) return offer
      const before = opened.get(offer.agent_id) ?? elsewhere.open(found)
      opened.set(offer.agent_id, before)
      return (await before).find((one) => one.skill.id === offer.skill.id) ?? null
    },
  }
}

/** An offer of a resource that is not listed here. Agent and payee are not known yet. */
function prospectOf({ admission, gateway }: ResourceOffer, skill: SkillOffer['skill'], handle: string): SkillOffer {
  const score = { n: 0, mean: null, score: 70, paid_steps: 0, payers: 0, failed_steps: 0 }
  const unknown = { sender_id: '', payee: '', royalties: [] }
  return { agent_id: admission.resource, ...unknown, handle, skill, score, max_concurrency: 1, through: gateway.did }
}
