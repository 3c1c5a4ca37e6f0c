/** Uses a resource on somebody's behalf: what goes in and what comes out passes the rules, within bounds of time and bytes. */
import { type Json, looksAtContent, type ResourceCard, type Rule, type RulePoint, tagsIn } from '@parley/protocol'
import { AdapterError, createAdapter, type ResourceAnswer } from '../adapters/resource-adapter.ts'
import { boundedFetch, FetchError } from '../net/bounded-fetch.ts'
import type { Gateway, Refusal } from '../pool/gateway.ts'
import { findBlockingRule, toPolicyRequest } from '../resource/admission-policy.ts'
import type { TestEnvironment } from '../testing/run-tests.ts'

const maxRequests = 3

/** What the rules say about content on its way; null where it may pass. Looks for tags only where a rule names one. */
export function findContentViolation(
  rules: readonly Rule[],
  point: RulePoint,
  card: ResourceCard,
  by: string,
  text: string,
  now: number,
): string | null {
  const tags = looksAtContent(rules, point) ? tagsIn(text) : []
  return findBlockingRule(rules, { ...toPolicyRequest(point, card, by), tags }, now)?.sentence ?? null
}

export type ResourceCaller = {
  /** Against a ticket, which is used up. */
  readonly callByTicket: (ticket: string, by: string, skillId: string, input: Json) => Promise<{ answer: ResourceAnswer } | Refusal>
  /** By the gateway's own agent in front of the resource. */
  readonly callAsProxy: (resource: string, by: string, skillId: string, input: Json) => Promise<{ answer: ResourceAnswer } | Refusal>
}

export function createResourceCaller(
  gateway: Pick<Gateway, 'redeem' | 'grant'>,
  rules: () => readonly Rule[],
  { policy, bounds, now }: Pick<TestEnvironment, 'policy' | 'bounds' | 'now'>,
): ResourceCaller {
  async function carryOut(card: ResourceCard, by: string, skillId: string, input: Json): Promise<{ answer: ResourceAnswer } | Refusal> {
    const skill = card.skills.find(({ id }) => id === skillId)
    if (!skill) return { fault: `${card.name} has no skill ${skillId}.` }
    const before = findContentViolation(rules(), 'say', card, by, JSON.stringify(input), now())
    if (before) return { fault: before }
    let requests = 0
    const resource = createAdapter(card, (address, what) => {
      if (++requests > maxRequests) throw new FetchError('bytes', `One call took more than ${maxRequests} requests.`)
      return boundedFetch(address, { policy, bounds, ...(what && { method: 'POST', ...what }) })
    })
    try {
      const called = await resource.call(skill, input)
      if ('refused' in called) return { fault: `${card.name} refuses: ${called.refused.slice(0, 400)}` }
      const after = findContentViolation(rules(), 'deliver', card, by, called.answer.text, now())
      return after ? { fault: after } : { answer: called.answer }
    } catch (error) {
      if (error instanceof FetchError || error instanceof AdapterError) return { fault: error.message }
      throw error
    }
  }

  return {
    callByTicket: async (ticket, by, skillId, input) => {
      const redeemed = gateway.redeem(ticket, by)
      return 'fault' in redeemed ? redeemed : carryOut(redeemed.card, by, skillId, input)
    },
    callAsProxy: async (resource, by, skillId, input) => {
      const granted = gateway.grant(resource, by)
      return 'fault' in granted ? granted : carryOut(granted.card, by, skillId, input)
    },
  }
}
