import type { ResourceOffer } from '../../resource-gateway/discovery/resource-finder.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'

/** Search for resources through gateway agents, for strategies that choose agents themselves. */
export type GatewayResourceSearch = {
  /** Searches by text; for a private goal only by the artifact types in it. Returns nothing above the budget. Empty if there is none. */
  find(text: string): Promise<readonly ResourceOffer[]>
  /** Lists the resource on this market, and returns what can then be hired. Empty if this team cannot hire it. */
  open(found: ResourceOffer): Promise<readonly SkillOffer[]>
}
