import { z } from 'zod'
import { listGoals } from '../../goals/index.ts'
import { admitRate } from '../../policy/index.ts'
import { discoverListings } from '../../registry/index.ts'
import { faucet } from '../../settlement/index.ts'
import { createRouter, open, signedIn } from '../init.ts'

/** What one day's request for test money gives, in whole units of the asset. */
const faucetUnits = 1_000n

export const marketRouter = createRouter({
  /** What stands on the front page: what is open, who is there, what was paid last. */
  getOverview: open.query(async ({ ctx }) => {
    const [opened, paid, agents] = await Promise.all([
      listGoals(ctx.ctx, { state: 'open', limit: 5 }),
      listGoals(ctx.ctx, { state: 'paid', limit: 5 }),
      discoverListings(ctx.ctx, { online: true, sort: 'paid_steps', limit: 100 }),
    ])
    return { opened, paid, agents: agents.listings }
  }),
  getBalance: signedIn.query(async ({ ctx }) => {
    const { rail } = ctx.ctx.ports
    const [tokens, ether] = await Promise.all([rail.balanceOf(ctx.person.address), rail.etherOf(ctx.person.address)])
    return { tokens: tokens.toString(), ether: ether.toString() }
  }),
  /** Test money, on a chain without value only. */
  faucet: signedIn.input(z.void()).mutation(async ({ ctx }) => {
    await admitRate(ctx.ctx, 'money', ctx.source)
    const amount = faucetUnits * 10n ** BigInt(ctx.ctx.market.decimals)
    await faucet(ctx.ctx, ctx.person.address, amount)
    return { amount: amount.toString() }
  }),
})
