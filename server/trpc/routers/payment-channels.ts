import {
  CallId,
  ChannelId,
  ClaimVoucher,
  CloseChannel,
  OpenChannel,
  QuoteChannel,
  RequestCall,
  Sha256,
  TopUpChannel,
} from '@parley/protocol'
import { z } from 'zod'
import { type getCall, listCalls } from '../../calls/index.ts'
import { dispatchCommand } from '../../commands/index.ts'
import { type ChannelQuote, depositAndClaimLimits, getChannel, getTopUpTerms, listChannels } from '../../settlement/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

const stands = z.object({ channel_id: z.string(), state: z.string() })
const channel = z.strictObject({ channel_id: ChannelId })

export const paymentChannelsRouter = createRouter({
  /** The person's own channels: as the client, or as the publisher. */
  listMine: signedInProcedure
    .input(z.strictObject({ side: z.enum(['client', 'publisher']) }))
    .query(({ ctx, input }) => listChannels(ctx.ctx, input.side)),
  /** A channel and its calls, newest first, for both sides and operators. */
  get: signedInProcedure.input(channel).query(async ({ ctx, input }) => ({
    channel: await getChannel(ctx.ctx, input.channel_id),
    calls: await listCalls(ctx.ctx, input.channel_id),
  })),
  /** What the wallet signs; `open` takes the same terms with the signature. `minDeposit`: base units. */
  quote: publicProcedure.input(QuoteChannel.omit({ type: true })).mutation(async ({ ctx, input }) => {
    const quote = (await dispatchCommand(ctx.ctx, { ...input, type: 'channel.quote' })) as ChannelQuote
    return { ...quote, typedData: quote.typed_data }
  }),
  minDeposit: publicProcedure.query(({ ctx }) => depositAndClaimLimits(ctx.ctx.market.decimals).minDeposit),
  open: publicProcedure
    .input(OpenChannel.omit({ type: true }))
    .mutation(async ({ ctx, input }) => stands.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'channel.open' }))),
  /** What the wallet signs to add `amount`; `topUp` takes the same with the signature. */
  topUpTerms: signedInProcedure
    .input(TopUpChannel.pick({ channel_id: true, amount: true, salt: true }))
    .query(({ ctx, input }) => getTopUpTerms(ctx.ctx, input)),
  topUp: publicProcedure
    .input(TopUpChannel.omit({ type: true }))
    .mutation(async ({ ctx, input }) => stands.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'channel.top_up' }))),
  close: publicProcedure
    .input(CloseChannel.omit({ type: true }))
    .mutation(async ({ ctx, input }) => stands.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'channel.close' }))),
  claim: publicProcedure
    .input(ClaimVoucher.omit({ type: true }))
    .mutation(async ({ ctx, input }) => stands.parse(await dispatchCommand(ctx.ctx, { ...input, type: 'voucher.claim' }))),
  ask: publicProcedure
    .input(RequestCall.omit({ type: true }))
    .mutation(async ({ ctx, input }) =>
      z.object({ call_id: z.string(), state: z.string() }).parse(await dispatchCommand(ctx.ctx, { ...input, type: 'call.request' })),
    ),
  /** A file of a call, for those who may read it. */
  getFile: signedInProcedure
    .input(z.strictObject({ call_id: CallId, sha256: Sha256 }))
    .query(
      async ({ ctx, input }) => (await dispatchCommand(ctx.ctx, { ...input, type: 'call.get' })) as Awaited<ReturnType<typeof getCall>>,
    ),
})
