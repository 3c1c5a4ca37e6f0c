import { AgentId, ChangePayout, DiscoverQuery, ListingDraft, RotateListingKey } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import {
  discoverListings,
  findPayoutChange,
  getKeyTerms,
  getListing,
  getPayoutTerms,
  listArtifactTypesInUse,
  listFacets,
  listListings,
  listOwnAgents,
  listRevisions,
  type PublishedListing,
  type rotateListingKey,
} from '../../registry/index.ts'
import { listPayouts, type PayoutView } from '../../settlement/index.ts'
import type { Signal } from '../../signals/signal.ts'
import { liveStream } from '../live-stream.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

const idOrHandle = z.strictObject({ agent: z.string().min(3).max(240) })

const conditions = Object.keys(DiscoverQuery.shape)
/** A misspelled condition would otherwise select nothing. */
const KnownConditions = DiscoverQuery.superRefine((query, check) => {
  for (const name of Object.keys(query)
    .filter((one) => !conditions.includes(one))
    .slice(0, 5))
    check.addIssue({ code: 'custom', path: [name], message: `There is no condition ${name}. Use ${conditions.join(', ')}.` })
})

export const registryRouter = createRouter({
  discover: publicProcedure
    .meta({ rate: 'search' })
    .input(KnownConditions)
    .query(({ ctx, input }) => discoverListings(ctx.ctx, input)),
  listFacets: publicProcedure
    .meta({ rate: 'search' })
    .input(KnownConditions)
    .query(({ ctx, input }) => listFacets(ctx.ctx, input)),
  /** The types in use on the market, those of most agents first. */
  listTypes: publicProcedure.meta({ rate: 'search' }).query(({ ctx }) => listArtifactTypesInUse(ctx.ctx)),
  get: publicProcedure.input(idOrHandle).query(({ ctx, input }) => getListing(ctx.ctx, input.agent)),
  listRevisions: publicProcedure.input(idOrHandle).query(async ({ ctx, input }) => {
    const listing = await getListing(ctx.ctx, input.agent)
    return listRevisions(ctx.ctx, listing.agent_id)
  }),
  /** The signed-in person's own listings, including withdrawn ones, one page at a time. */
  listMine: signedInProcedure
    .input(z.strictObject({ after: AgentId.optional() }).default({}))
    .query(({ ctx, input }) => listListings(ctx.ctx, { ownerId: ctx.person.did, after: input.after })),
  /** What each of the person's agents has agreed and been paid, in base units. */
  listEarnings: signedInProcedure.query(async ({ ctx }) => {
    const own = await listOwnAgents(ctx.ctx, ctx.person.did)
    return Promise.all(
      own.map(async ({ agentId }) => ({
        agent_id: agentId,
        ...sumByState((await listPayouts(ctx.ctx, { agentId })).filter((one) => one.rail === 'escrow')),
      })),
    )
  }),
  publish: publicProcedure
    .input(z.strictObject({ listing: ListingDraft }))
    .mutation(
      async ({ ctx, input }) => (await dispatchCommand(ctx.ctx, { type: 'listing.publish', listing: input.listing })) as PublishedListing,
    ),
  revise: publicProcedure
    .input(z.strictObject({ agent_id: AgentId, listing: ListingDraft }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'listing.revise', ...input })),
  withdraw: publicProcedure
    .input(z.strictObject({ agent_id: AgentId }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'listing.withdraw', ...input })),
  /** Also withdraws it. Its text is erased permanently. */
  erase: publicProcedure
    .input(z.strictObject({ agent_id: AgentId }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'listing.erase', ...input })),
  /** What the wallet signs; `rotateKey` takes the same `unbind` and `deadline` with the signature. */
  getKeyTerms: signedInProcedure
    .input(RotateListingKey.pick({ agent_id: true, unbind: true }))
    .query(({ ctx, input }) => getKeyTerms(ctx.ctx, input.agent_id, input.unbind)),
  /** What the wallet signs; `changePayout` takes the same values and `deadline` with the signature. */
  getPayoutTerms: signedInProcedure
    .input(ChangePayout.pick({ agent_id: true, payout: true, royalties: true }))
    .query(({ ctx, input }) => getPayoutTerms(ctx.ctx, input.agent_id, input)),
  changePayout: publicProcedure
    .input(ChangePayout.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'payout.change' })),
  cancelPayoutChange: publicProcedure
    .input(z.strictObject({ agent_id: AgentId }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'payout_change.cancel', ...input })),
  /** The owner's scheduled payout change. */
  findPayoutChange: signedInProcedure
    .input(z.strictObject({ agent_id: AgentId }))
    .query(({ ctx, input }) => findPayoutChange(ctx.ctx, input.agent_id)),
  rotateKey: publicProcedure
    .input(RotateListingKey.omit({ type: true }))
    .mutation(
      async ({ ctx, input }) =>
        (await dispatchCommand(ctx.ctx, { ...input, type: 'listing_key.rotate' })) as Awaited<ReturnType<typeof rotateListingKey>>,
    ),
  /** The listing again whenever its agent's presence changes. */
  watch: publicProcedure.input(idOrHandle.extend({ once: z.boolean().default(false) })).subscription(async ({ ctx, input, signal }) => {
    const { agent_id } = await getListing(ctx.ctx, input.agent)
    const matches = (wake: Signal) => wake.topic === 'agent' && wake.id === agent_id
    return liveStream(ctx, { matches, signal, once: input.once }, async (reader) => {
      const { presence, last_seen_at, did } = await getListing(reader, agent_id)
      return { events: [{ presence, last_seen_at, did }], isMore: false }
    })
  }),
})

function sumByState(payouts: readonly PayoutView[]) {
  const sum = (...states: PayoutView['state'][]) =>
    payouts.reduce((all, payout) => (states.includes(payout.state) ? all + (payout.paidAmount ?? payout.amount) : all), 0n).toString()
  return { agreed: sum('sealed', 'disputed'), paying: sum('paying'), paid: sum('paid', 'credited', 'split') }
}
