import { z } from 'zod'
import { type Goal, listGoals } from '../../goals/index.ts'
import { requireScopeFor } from '../../policy/index.ts'
import { discoverListings, listFacets } from '../../registry/index.ts'
import { faucet, listPayouts, paidShareOf } from '../../settlement/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'
import type { RequestContext } from '../request-context.ts'

/** The test money per person and day, in whole units of the asset. */
const faucetUnits = 1_000n

export const marketRouter = createRouter({
  /** The front page: current goals, agents that are online, and the last payments. */
  getOverview: publicProcedure.meta({ rate: 'search' }).query(async ({ ctx }) => {
    const [current, paid, agents, facets] = await Promise.all([
      listGoals(ctx.ctx, { states: ['open', 'underway', 'review', 'settling'], limit: 4 }),
      listGoals(ctx.ctx, { states: ['paid'], limit: 4 }),
      discoverListings(ctx.ctx, { online: true, sort: 'paid_steps', limit: 4 }),
      listFacets(ctx.ctx, { limit: 1 }),
    ])
    return {
      current: current.goals.map(summaryOf),
      paid: await Promise.all(paid.goals.map((goal) => paidSummaryOf(ctx, goal))),
      agents: agents.listings.map(({ handle, name, summary, presence }) => ({ handle, name, summary, presence })),
      counts: { agents: facets.total, online: facets.online },
    }
  }),
  getBalance: signedInProcedure.query(async ({ ctx }) => {
    const { rail } = ctx.ctx.ports
    const [tokens, ether] = await Promise.all([rail.balanceOf(ctx.person.address), rail.etherOf(ctx.person.address)])
    return { tokens: tokens.toString(), ether: ether.toString() }
  }),
  /** Test money, only on a chain without value. */
  faucet: signedInProcedure
    .meta({ rate: 'money' })
    .input(z.void())
    .mutation(async ({ ctx }) => {
      requireScopeFor(ctx.person, 'market.faucet', 'goals')
      const amount = faucetUnits * 10n ** BigInt(ctx.ctx.market.decimals)
      const { tx } = await faucet(ctx.ctx, ctx.person.address, amount)
      return { amount: amount.toString(), tx }
    }),
})

function summaryOf({ id, text, state, budget, asset, openedAt }: Goal) {
  return { id, text: text.slice(0, 160), state, asset, budget: budget.toString(), opened_at: openedAt?.toISOString() ?? null }
}

async function paidSummaryOf(call: RequestContext, goal: Goal) {
  const payouts = (await listPayouts(call.ctx, { goalId: goal.id })).filter(
    (payout) => payout.state === 'paid' || payout.state === 'credited' || payout.state === 'split',
  )
  return {
    ...summaryOf(goal),
    settled_at: goal.settledAt?.toISOString() ?? null,
    paid: payouts.reduce((sum, payout) => sum + paidShareOf(payout), 0n).toString(),
    payees: new Set(payouts.map((payout) => payout.payee)).size,
    tx: payouts[0]?.tx ?? null,
  }
}
