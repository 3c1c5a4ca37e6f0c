import { AuthorizeHold, BaseUnits, GoalId, OpenPayoutAccount, WithdrawCredit } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { type Context, mayReadOperations } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { getGoal } from '../../goals/index.ts'
import {
  adviseRail,
  alarmDescriptions,
  cancelTransaction,
  getCardEarnings,
  getChainHealth,
  getCredits,
  getFunding,
  getPayoutAccountTerms,
  getReconciliation,
  getSettlementProof,
  getWithdrawalTerms,
  listDeadLetters,
  listReconciliations,
  reconcile,
  refreshOwnAccount,
  retryDeadLetter,
  retrySettlement,
} from '../../settlement/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../init.ts'
import { readEarnings } from '../views/read-earnings.ts'
import { readMoney, readOwnMoney, readReceipt } from '../views/read-money.ts'
import { readTransaction } from '../views/read-transaction.ts'

const goal = z.object({ goal_id: GoalId })

export const settlementRouter = createRouter({
  /** What the client is to sign. */
  getFunding: publicProcedure.input(goal).query(({ ctx, input }) => getFunding(ctx.ctx, input.goal_id)),
  /** Which way of paying suits a goal, and why. `value` in base units. */
  adviseRail: publicProcedure
    .input(z.object({ value: BaseUnits, has_wallet: z.boolean(), has_card: z.boolean() }))
    .query(({ ctx, input }) =>
      adviseRail({
        value: (BigInt(input.value) * 1_000_000n) / 10n ** BigInt(ctx.ctx.market.decimals),
        callsPerSession: 1,
        isTeamKnown: false,
        hasChannels: ctx.ctx.market.channels !== null,
        client: { hasWallet: input.has_wallet, hasCard: input.has_card },
      }),
    ),
  authorize: publicProcedure
    .input(goal.extend({ signature: AuthorizeHold.shape.signature }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'hold.authorize', ...input })),
  getMoney: publicProcedure.input(goal).query(({ ctx, input }) => readMoney(ctx.ctx, input.goal_id)),
  getProof: publicProcedure.input(goal).query(async ({ ctx, input }) => {
    await getGoal(ctx.ctx, input.goal_id)
    return getSettlementProof(ctx.ctx, input.goal_id)
  }),
  getReceipt: publicProcedure
    .input(z.object({ payout_id: z.string().regex(/^pay_[0-9a-f]{32}$/) }))
    .query(({ ctx, input }) => readReceipt(ctx.ctx, input.payout_id)),
  getMine: signedInProcedure.query(({ ctx }) => readOwnMoney(ctx.ctx, ctx.person)),
  /** All that the person earns: `{ agreed, inReview, paid, disputed, credits, cards, listings }`. */
  getEarnings: signedInProcedure.query(({ ctx }) => readEarnings(ctx.ctx, ctx.person)),
  /** What waits in the escrow for the person's wallet, one entry for each token. */
  getCredits: signedInProcedure.query(({ ctx }) => getCredits(ctx.ctx, ctx.person.address)),
  /** What the wallet is to sign; `withdrawCredit` takes the same `to` and `deadline` with the signature. */
  getWithdrawalTerms: signedInProcedure
    .input(WithdrawCredit.pick({ to: true }))
    .query(({ ctx, input }) => getWithdrawalTerms(ctx.ctx, input.to)),
  withdrawCredit: publicProcedure
    .input(WithdrawCredit.omit({ type: true }))
    .mutation(async ({ ctx, input }) =>
      z
        .object({ withdrawal_id: z.string(), state: z.string() })
        .parse(await dispatchCommand(ctx.ctx, { ...input, type: 'credit.withdraw' })),
    ),
  /** After the expiry: sends the rest back now. */
  reclaim: publicProcedure
    .input(goal)
    .mutation(async ({ ctx, input }) =>
      z.object({ goal_id: z.string(), state: z.string() }).parse(await dispatchCommand(ctx.ctx, { type: 'hold.reclaim', ...input })),
    ),
  /** The person's payout account, and the shares of card-funded goals that were sent or wait for it. */
  getCardEarnings: signedInProcedure.query(({ ctx }) => getCardEarnings(ctx.ctx, ctx.person.did)),
  /** What the wallet signs; `openPayoutAccount` takes the same `deadline` with the signature. */
  getPayoutAccountTerms: signedInProcedure.query(({ ctx }) => getPayoutAccountTerms(ctx.ctx)),
  /** Opens the payout account, once, and answers the page on which it is completed: `{ url }`. */
  openPayoutAccount: publicProcedure
    .input(OpenPayoutAccount.omit({ type: true }))
    .mutation(async ({ ctx, input }) =>
      z.object({ url: z.url() }).parse(await dispatchCommand(ctx.ctx, { ...input, type: 'payout-account.open' })),
    ),
  /** After coming back from that page: reads what Stripe says of the account now. */
  refreshPayoutAccount: signedInProcedure.meta({ rate: 'money' }).mutation(async ({ ctx }) => {
    await refreshOwnAccount(ctx.ctx, ctx.person.did)
    return (await getCardEarnings(ctx.ctx, ctx.person.did)).account
  }),
  getTransaction: publicProcedure
    .input(z.object({ hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }))
    .query(({ ctx, input }) => readTransaction(ctx.ctx, input.hash)),
  /** For operators: alarms of the chain, the settler's means, and what is under way. */
  getChainHealth: signedInProcedure.query(async ({ ctx }) => {
    const { alarms, settler, waiting } = await getChainHealth(ctx.ctx)
    return {
      alarms: alarms.map(({ kind, subject, facts, since }) => ({ kind, sentence: alarmDescriptions[kind], subject, facts, since })),
      settler: settler && {
        sender: settler.sender,
        balance: settler.balance.toString(),
        low_mark: settler.lowMark.toString(),
      },
      waiting,
    }
  }),
  /** For operators: uses up the nonce of a transaction that keeps others waiting, and asks for its effect again. */
  cancelTransaction: signedInProcedure
    .meta({ rate: 'money' })
    .input(z.object({ transaction_id: z.uuid() }))
    .mutation(({ ctx, input }) => cancelTransaction(ctx.ctx, input)),
  /** For operators: events of the chain that could not be booked. `evidence`: JSON of the events, with the logs as the node gave them. */
  listDeadLetters: signedInProcedure.query(async ({ ctx }) => {
    const letters = await listDeadLetters(ctx.ctx)
    return letters.map(({ events, ...letter }) => ({ ...letter, evidence: JSON.stringify(events, null, 2) }))
  }),
  /** For operators: books them again, and what waits behind them. */
  retryDeadLetter: signedInProcedure
    .meta({ rate: 'money' })
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => retryDeadLetter(ctx.ctx, input)),
  /** For operators: once what kept a settlement from its payment is out of the way. */
  retry: signedInProcedure
    .meta({ rate: 'money' })
    .input(goal)
    .mutation(({ ctx, input }) => retrySettlement(ctx.ctx, input)),
  /** Ledger against chain and Stripe, now. Costs the chain some work: for operators, and on a local chain for all who have signed in. */
  reconcile: signedInProcedure.meta({ rate: 'money' }).query(({ ctx }) => {
    requireBookkeeper(ctx.ctx)
    return reconcile(ctx.ctx)
  }),
  /** What the nightly comparison, or the one at the last start, has found. Null before the first. */
  getReconciliation: signedInProcedure.input(z.object({ id: z.uuid().optional() })).query(({ ctx, input }) => {
    requireBookkeeper(ctx.ctx)
    return getReconciliation(ctx.ctx, input.id)
  }),
  listReconciliations: signedInProcedure.query(({ ctx }) => {
    requireBookkeeper(ctx.ctx)
    return listReconciliations(ctx.ctx)
  }),
})

function requireBookkeeper(ctx: Context): void {
  if (mayReadOperations(ctx)) return
  throw new DomainError('permission.denied', 'Only operators may reconcile.', { hint: 'Ask an operator of this market.' })
}
