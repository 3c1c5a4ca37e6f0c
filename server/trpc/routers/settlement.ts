import { AuthorizeHold, BaseUnits, GoalId, OpenPayoutAccount, WithdrawCredit } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { type Context, mayReadOperatorPages } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { getGoal } from '../../goals/index.ts'
import { requireScopeFor } from '../../policy/index.ts'
import {
  adviseRail,
  alarmDescriptions,
  cancelTransaction,
  getCardEarnings,
  getChainHealth,
  getEscrowCredits,
  getFundingTerms,
  getPayoutAccountTerms,
  getReconciliation,
  getSettlementProof,
  getWithdrawalTerms,
  listChainDeadLetters,
  listReconciliations,
  reconcile,
  refreshOwnAccount,
  retryChainDeadLetter,
  retrySettlement,
} from '../../settlement/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'
import { readChainTransaction } from '../views/read-chain-transaction.ts'
import { readEarnings } from '../views/read-earnings.ts'
import { readGoalMoney, readOwnMoney, readReceipt } from '../views/read-goal-money-and-receipt.ts'

const goal = z.strictObject({ goal_id: GoalId })

export const settlementRouter = createRouter({
  /** What the client signs. */
  getFunding: publicProcedure.input(goal).query(({ ctx, input }) => getFundingTerms(ctx.ctx, input.goal_id)),
  /** The recommended payment methods of a goal, with reasons. `value` in base units. */
  adviseRail: publicProcedure
    .input(z.strictObject({ value: BaseUnits, has_wallet: z.boolean(), has_card: z.boolean() }))
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
  getMoney: publicProcedure.input(goal).query(({ ctx, input }) => readGoalMoney(ctx.ctx, input.goal_id)),
  getProof: publicProcedure.input(goal).query(async ({ ctx, input }) => {
    await getGoal(ctx.ctx, input.goal_id)
    return getSettlementProof(ctx.ctx, input.goal_id)
  }),
  getReceipt: publicProcedure
    .input(z.strictObject({ payout_id: z.string().regex(/^pay_[0-9a-f]{32}$/) }))
    .query(({ ctx, input }) => readReceipt(ctx.ctx, input.payout_id)),
  getMine: signedInProcedure.query(({ ctx }) => readOwnMoney(ctx.ctx, ctx.person)),
  /** All earnings of the person: `{ agreed, inReview, paid, disputed, credits, cards, listings }`. */
  getEarnings: signedInProcedure.query(({ ctx }) => readEarnings(ctx.ctx, ctx.person)),
  /** Credits in the escrow for the person's wallet, one entry per token. */
  getCredits: signedInProcedure.query(({ ctx }) => getEscrowCredits(ctx.ctx, ctx.person.address)),
  /** What the wallet signs; `withdrawCredit` takes the same `to` and `deadline` with the signature. */
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
  /** After the expiry: reclaims the rest now. */
  reclaim: publicProcedure
    .input(goal)
    .mutation(async ({ ctx, input }) =>
      z.object({ goal_id: z.string(), state: z.string() }).parse(await dispatchCommand(ctx.ctx, { type: 'hold.reclaim', ...input })),
    ),
  /** The person's payout account, and the paid and pending shares of card-funded goals. */
  getCardEarnings: signedInProcedure.query(({ ctx }) => getCardEarnings(ctx.ctx, ctx.person.did)),
  /** What the wallet signs; `openPayoutAccount` takes the same `deadline` with the signature. */
  getPayoutAccountTerms: signedInProcedure.query(({ ctx }) => getPayoutAccountTerms(ctx.ctx)),
  /** Opens the payout account once, and returns the page that completes it: `{ url }`. */
  openPayoutAccount: publicProcedure
    .input(OpenPayoutAccount.omit({ type: true }))
    .mutation(async ({ ctx, input }) =>
      z.object({ url: z.url() }).parse(await dispatchCommand(ctx.ctx, { ...input, type: 'payout_account.open' })),
    ),
  /** After the return from that page: reads the current state from Stripe. */
  refreshPayoutAccount: signedInProcedure.meta({ rate: 'money' }).mutation(async ({ ctx }) => {
    requireScopeFor(ctx.person, 'settlement.refreshPayoutAccount', 'listings')
    await refreshOwnAccount(ctx.ctx, ctx.person.did)
    return (await getCardEarnings(ctx.ctx, ctx.person.did)).account
  }),
  getTransaction: publicProcedure
    .input(z.strictObject({ hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }))
    .query(({ ctx, input }) => readChainTransaction(ctx.ctx, input.hash)),
  /** For operators: alarms of the chain, the settler's balance, and pending transactions. */
  getChainHealth: signedInProcedure.query(async ({ ctx }) => {
    const { alarms, settler, waiting } = await getChainHealth(ctx.ctx)
    return {
      alarms: alarms.map(({ kind, subject, facts, since }) => ({ kind, sentence: alarmDescriptions[kind], subject, facts, since })),
      settler: settler && {
        sender: settler.sender,
        balance: settler.balance.toString(),
        low_balance_threshold: settler.lowBalanceThreshold.toString(),
      },
      waiting,
    }
  }),
  /** For operators: uses up the nonce of a transaction that blocks others, and requests its effect again. */
  cancelTransaction: signedInProcedure
    .meta({ rate: 'money' })
    .input(z.strictObject({ transaction_id: z.uuid() }))
    .mutation(({ ctx, input }) => cancelTransaction(ctx.ctx, input)),
  /** For operators: chain events that could not be recorded. `evidence`: JSON of the events with their raw logs. */
  listDeadLetters: signedInProcedure.query(async ({ ctx }) => {
    const letters = await listChainDeadLetters(ctx.ctx)
    return letters.map(({ events, ...letter }) => ({ ...letter, evidence: JSON.stringify(events, null, 2) }))
  }),
  /** For operators: records them again, with the events behind them. */
  retryDeadLetter: signedInProcedure
    .meta({ rate: 'money' })
    .input(z.strictObject({ id: z.uuid() }))
    .mutation(({ ctx, input }) => retryChainDeadLetter(ctx.ctx, input)),
  /** For operators: after the cause of a failed settlement was removed. */
  retry: signedInProcedure
    .meta({ rate: 'money' })
    .input(goal)
    .mutation(({ ctx, input }) => retrySettlement(ctx.ctx, input)),
  /**
   * Reconciles the ledger with chain and Stripe now. It loads the node, so it is for operators, and on a local chain for everyone who has
   * signed in.
   */
  reconcile: signedInProcedure.meta({ rate: 'money' }).query(({ ctx }) => {
    requireBookkeeper(ctx.ctx)
    return reconcile(ctx.ctx)
  }),
  /** The result of the nightly reconciliation, or of the one at the last start. Null before the first. */
  getReconciliation: signedInProcedure.input(z.strictObject({ id: z.uuid().optional() })).query(({ ctx, input }) => {
    requireBookkeeper(ctx.ctx)
    return getReconciliation(ctx.ctx, input.id)
  }),
  listReconciliations: signedInProcedure.query(({ ctx }) => {
    requireBookkeeper(ctx.ctx)
    return listReconciliations(ctx.ctx)
  }),
})

function requireBookkeeper(ctx: Context): void {
  if (mayReadOperatorPages(ctx)) return
  throw new DomainError('permission.denied', 'Only operators can start a reconciliation.', { hint: 'Ask an operator of this market.' })
}
