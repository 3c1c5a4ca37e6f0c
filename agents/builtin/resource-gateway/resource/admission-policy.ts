/** Which resources a gateway admits: its own scope, and the rules of its installation. */
import {
  type Admission,
  type Decision,
  evaluateRules,
  type PolicyRequest,
  type ResourceCard,
  type Rule,
  type RulePoint,
} from '@parley/protocol'

/** Region and topics. Without both, all resources are in scope. */
export type AdmissionScope = { readonly region?: string | undefined; readonly topics: readonly string[] }

/** Why a card is out of scope; null if it is in scope. */
export function findScopeError({ region, topics }: AdmissionScope, card: ResourceCard): string | null {
  if (region !== undefined && !(card.region === region || card.region?.startsWith(`${region}-`)))
    return `This gateway takes resources in ${region}, and the card names ${card.region ?? 'no region'}.`
  if (topics.length > 0 && !card.topics.some((topic) => topics.includes(topic)))
    return `This gateway takes resources on ${topics.join(', ')}, and the card names ${card.topics.join(', ') || 'no topic'}.`
  return null
}

/** The request for the rules' decision. An admission names no host. */
export function toPolicyRequest(point: RulePoint, card: ResourceCard | Admission, by?: string): PolicyRequest {
  const host = 'endpoint' in card ? new URL(String(card.endpoint)).hostname : undefined
  return {
    point,
    kind: card.kind,
    dids: [card.resource, card.operator, ...(by === undefined ? [] : [by])],
    skill_ids: card.skills.map((skill) => skill.id),
    ...(host !== undefined && { host }),
    region: card.region ?? null,
  }
}

/** The rule that blocks a request, with a sentence for the caller; null if none does. */
export function findBlockingRule(
  rules: readonly Rule[],
  request: PolicyRequest,
  now: number,
): { readonly decision: Decision; readonly sentence: string } | null {
  const decision = evaluateRules(rules, request, now)
  if (decision.effect === 'allow') return null
  const { reason } = decision.rule
  return {
    decision,
    sentence: decision.effect === 'deny' ? `A rule forbids it: ${reason}` : `An operator has to allow it first: ${reason}`,
  }
}
