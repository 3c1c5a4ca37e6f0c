/** Calls a resource for another agent: input and output must pass the content rules, within limits of time and bytes. */
import { contentTagsIn, hasContentTagRule, type Json, type ResourceCard, type Rule, type RulePoint } from '@parley/protocol'
import { AdapterError, createAdapter, type ResourceAdapter, type ResourceAnswer } from '../adapters/resource-adapter.ts'
import { boundedFetch, FetchError } from '../net/bounded-fetch.ts'
import type { Gateway, GatewayRefusal } from '../pool/gateway-pool.ts'
import { findBlockingRule, toPolicyRequest } from '../resource/admission-policy.ts'
import type { TestEnvironment } from '../testing/run-resource-tests.ts'

/** Requests that one call may take. */
const maxRequests = 3

type Call = { readonly card: ResourceCard; readonly by: string; readonly skillId: string; readonly input: Json }
type CallResult = { answer: ResourceAnswer } | GatewayRefusal

export type ResourceCaller = {
  /** Redeems a ticket and calls its resource. `by`: DID of the caller. */
  readonly callByTicket: (ticket: string, by: string, skillId: string, input: Json) => Promise<CallResult>
  /** Calls a resource for its proxy agent, whose DID is `by`. */
  readonly callAsProxy: (resource: string, by: string, skillId: string, input: Json) => Promise<CallResult>
}

type State = {
  readonly rules: () => readonly Rule[]
  readonly limits: Pick<TestEnvironment, 'policy' | 'bounds' | 'now'>
}

export function createResourceCaller(
  gateway: Pick<Gateway, 'redeem' | 'grant'>,
  rules: () => readonly Rule[],
  limits: Pick<TestEnvironment, 'policy' | 'bounds' | 'now'>,
): ResourceCaller {
  const state: State = { rules, limits }
  return {
    callByTicket: async (ticket, by, skillId, input) => {
      const redeemed = gateway.redeem(ticket, by)
      return 'fault' in redeemed ? redeemed : callResource(state, { card: redeemed.card, by, skillId, input })
    },
    callAsProxy: async (resource, by, skillId, input) => {
      const granted = gateway.grant(resource, by)
      return 'fault' in granted ? granted : callResource(state, { card: granted.card, by, skillId, input })
    },
  }
}

async function callResource(state: State, call: Call): Promise<CallResult> {
  const { card, skillId, input } = call
  const skill = card.skills.find(({ id }) => id === skillId)
  if (!skill) return { fault: `${card.name} has no skill ${skillId}.` }
  const violation = findContentViolation(state, 'post', call, JSON.stringify(input))
  if (violation) return { fault: violation }
  try {
    const outcome = await createLimitedAdapter(state, card).call(skill, input)
    if ('refused' in outcome) return { fault: `${card.name} refuses: ${outcome.refused.slice(0, 400)}` }
    const outputViolation = findContentViolation(state, 'deliver', call, outcome.answer.text)
    return outputViolation ? { fault: outputViolation } : { answer: outcome.answer }
  } catch (error) {
    if (error instanceof FetchError || error instanceof AdapterError) return { fault: error.message }
    throw error
  }
}

function createLimitedAdapter({ limits }: State, card: ResourceCard): ResourceAdapter {
  const { policy, bounds } = limits
  let requests = 0
  return createAdapter(card, (address, what) => {
    if (++requests > maxRequests) throw new FetchError('bytes', `One call took more than ${maxRequests} requests.`)
    return boundedFetch(address, { policy, bounds, ...(what && { method: 'POST', ...what }) })
  })
}

/** Why the rules forbid this content; null if they allow it. Content is classified only if a rule names a tag. */
function findContentViolation({ rules, limits }: State, point: RulePoint, { card, by }: Call, text: string): string | null {
  const tags = hasContentTagRule(rules(), point) ? contentTagsIn(text) : []
  return findBlockingRule(rules(), { ...toPolicyRequest(point, card, by), tags }, limits.now())?.sentence ?? null
}
