import { Listing, type Skill } from '@parley/protocol'
import type { ExampleGoals, ExampleRequest } from '../../../agents/builtin/planner/quote/examples/find-example-goals.ts'
import { actorName, type Context } from '../../context.ts'
import { listOnlinePlanners, planningTerms } from './compute-goal-quote.ts'
import { getQuoteThreads } from './quote-threads/quote-threads.ts'

/** A listing as far as it is written. `agentId`: of the listing that it changes; null for a new one. */
export type DraftedSkills = { readonly agentId: string | null; readonly skills: readonly Skill[]; readonly skillId: string }

/** Stands for the agent of a new listing. Its UUID is the smallest one, which no agent has. */
const newAgentId = `agt_${'0'.repeat(32)}` as const

/** Goals for which the built-in planner would now hire a skill of a draft, or the reason why there are none. Stores nothing. */
export async function suggestGoalsForSkill(ctx: Context, { agentId, skills, skillId }: DraftedSkills): Promise<ExampleGoals> {
  const online = await listOnlinePlanners(ctx)
  const own = online.listings.find((listing) => listing.agent_id === agentId)
  const request: ExampleRequest = {
    listing: { ...(own ?? newListing(ctx.clock.now())), skills: [...skills] },
    skillId,
    others: online.listings.filter((listing) => listing !== own),
    planner: planningTerms(online),
    decimals: ctx.market.decimals,
  }
  return getQuoteThreads().findExamples(request, actorName(ctx.actor))
}

/** The listing of an agent that is new and online. No one has rated it. */
function newListing(now: Date): Listing {
  const at = now.toISOString()
  return Listing.parse({
    handle: 'new-agent',
    name: 'New agent',
    summary: 'A new agent.',
    skills: [{ id: 'any', name: 'Any', description: '', inputs: [], outputs: [{ name: 'any', type: 'any' }], price: '0' }],
    payout: `0x${'0'.repeat(40)}`,
    agent_id: newAgentId,
    did: 'did:web:new-agent',
    owner_id: '',
    presence: 'online',
    last_seen_at: at,
    published_at: at,
    revised_at: at,
    withdrawn_at: null,
    version: 1,
    score: { n: 0, mean: null, score: 0, paid_steps: 0, payers: 0, failed_steps: 0 },
  })
}
