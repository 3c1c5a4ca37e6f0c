/** Uses a resource on somebody's behalf: what goes in and what comes out passes the rules, within bounds of time and bytes. */
import { type Json, looksAtContent, type ResourceCard, type Rule, type RulePoint, tagsIn } from '@parley/protocol'
import { type Answer, speakWith, Unintelligible } from '../adapters/resource-adapter.ts'
import { fetchWithin, Unreachable } from '../net/bounded-fetch.ts'
import type { Gateway, Refused } from '../pool/gateway.ts'
import { deedOf, stopOf } from '../resource/admission-policy.ts'
import type { Range } from '../testing/run-tests.ts'

const maxRequests = 3

/** What the rules say about content on its way; null where it may pass. Looks for tags only where a rule names one. */
export function contentStop(
  rules: readonly Rule[],
  point: RulePoint,
  card: ResourceCard,
  by: string,
  text: string,
  now: number,
): string | null {
  const tags = looksAtContent(rules, point) ? tagsIn(text) : []
  return stopOf(rules, { ...deedOf(point, card, by), tags }, now)?.sentence ?? null
}

export type Use = {
  /** Against a ticket, which is used up. */
  readonly byTicket: (ticket: string, by: string, skillId: string, input: Json) => Promise<{ answer: Answer } | Refused>
  /** By the gateway's own agent in front of the resource. */
  readonly asFront: (resource: string, by: string, skillId: string, input: Json) => Promise<{ answer: Answer } | Refused>
}

export function createUse(
  gateway: Pick<Gateway, 'redeem' | 'grant'>,
  rules: () => readonly Rule[],
  { policy, bounds, now }: Pick<Range, 'policy' | 'bounds' | 'now'>,
): Use {
  async function carryOut(card: ResourceCard, by: string, skillId: string, input: Json): Promise<{ answer: Answer } | Refused> {
    const skill = card.skills.find(({ id }) => id === skillId)
    if (!skill) return { fault: `${card.name} has no skill ${skillId}.` }
    const before = contentStop(rules(), 'say', card, by, JSON.stringify(input), now())
    if (before) return { fault: before }
    let requests = 0
    const resource = speakWith(card, (address, what) => {
      if (++requests > maxRequests) throw new Unreachable('bytes', `One call took more than ${maxRequests} requests.`)
      return fetchWithin(address, { policy, bounds, ...(what && { method: 'POST', ...what }) })
    })
    try {
      const called = await resource.call(skill, input)
      if ('refused' in called) return { fault: `${card.name} refuses: ${called.refused.slice(0, 400)}` }
      const after = contentStop(rules(), 'deliver', card, by, called.answer.text, now())
      return after ? { fault: after } : { answer: called.answer }
    } catch (error) {
      if (error instanceof Unreachable || error instanceof Unintelligible) return { fault: error.message }
      throw error
    }
  }

  return {
    byTicket: async (ticket, by, skillId, input) => {
      const redeemed = gateway.redeem(ticket, by)
      return 'fault' in redeemed ? redeemed : carryOut(redeemed.card, by, skillId, input)
    },
    asFront: async (resource, by, skillId, input) => {
      const granted = gateway.grant(resource, by)
      return 'fault' in granted ? granted : carryOut(granted.card, by, skillId, input)
    },
  }
}
