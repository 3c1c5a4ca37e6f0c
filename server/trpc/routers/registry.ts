import { AgentId, DiscoverQuery, ListingDraft } from '@parley/protocol'
import { z } from 'zod'
import { admit } from '../../gateway/index.ts'
import { admitRate } from '../../policy/index.ts'
import { getListing, listFacets, listListings, listRevisions } from '../../registry/index.ts'
import { createRouter, open, signedIn } from '../init.ts'

const idOrHandle = z.object({ agent: z.string().min(3).max(40) })

export const registryRouter = createRouter({
  discover: open.input(DiscoverQuery).query(async ({ ctx, input }) => {
    await admitRate(ctx.ctx, 'search', ctx.source)
    return admit(ctx.ctx, { type: 'listing.discover', query: input })
  }),
  listFacets: open.input(DiscoverQuery).query(async ({ ctx, input }) => {
    await admitRate(ctx.ctx, 'search', ctx.source)
    return listFacets(ctx.ctx, input)
  }),
  get: open.input(idOrHandle).query(({ ctx, input }) => getListing(ctx.ctx, input.agent)),
  listRevisions: open.input(idOrHandle).query(async ({ ctx, input }) => {
    const listing = await getListing(ctx.ctx, input.agent)
    return listRevisions(ctx.ctx, listing.agent_id)
  }),
  /** The signed-in person's own listings, withdrawn ones too. */
  listMine: signedIn.query(({ ctx }) => listListings(ctx.ctx, { ownerId: ctx.person.did })),
  publish: open
    .input(z.object({ listing: ListingDraft }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'listing.publish', listing: input.listing })),
  revise: open
    .input(z.object({ agent_id: AgentId, listing: ListingDraft }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'listing.revise', ...input })),
  withdraw: open
    .input(z.object({ agent_id: AgentId }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'listing.withdraw', ...input })),
  rekey: open
    .input(z.object({ agent_id: AgentId, unbind: z.boolean() }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'listing.rekey', ...input })),
})
