import { AuthorizeHold, BaseUnits, GoalId, OpenPayoutAccount, WithdrawCredit } from '@parley/protocol'
import { z } from 'zod'
import { admit } from '../../commands/index.ts'
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
import { createRouter, open, signedIn } from '../init.ts'
import { readEarnings } from '../views/read-earnings.ts'
import { readMoney, readOwnMoney, readReceipt } from '../views/read-money.ts'
import { readTransaction } from '../views/read-transaction.ts'

const goal = z.object({ goal_id: GoalId })

export const settlementRouter = createRouter({
  /** What the client is to sign. */
  getFunding: open.input(goal).query(({ ctx, input }) => getFunding(ctx.ctx, input.goal_id)),
  /** Which way of paying suits a goal, and why. `value` in base units. */
  adviseRail: open.input(z.object({ value: BaseUnits, has_wallet: z.boolean(), has_card: z.boolean() })).query(({ ctx, input }) =>
    adviseRail({
      value: (BigInt(input.value) * 1_000_000n) / 10n ** BigInt(ctx.ctx.market.decimals),
      callsPerSession: 1,
      isTeamKnown: false,
      hasChannels: ctx.ctx.market.channels !== null,
      client: { hasWallet: input.has_wallet, hasCard: input.has_card },
    }),
  ),
  authorize: open
    .input(goal.extend({ signature: AuthorizeHold.shape.signature }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'hold.authorize', ...input })),
  getMoney: open.input(goal).query(({ ctx, input }) => readMoney(ctx.ctx, input.goal_id)),
  getProof: open.input(goal).query(async ({ ctx, input }) => {
    await getGoal(ctx.ctx, input.goal_id)
    return getSettlementProof(ctx.ctx, input.goal_id)
  }),
  getReceipt: open
    .input(z.object({ payout_id: z.string().regex(/^pay_[0-9a-f]{32}$/) }))
    .query(({ ctx, input }) => readReceipt(ctx.ctx, input.payout_id)),
  getMine: signedIn.query(({ ctx }) => readOwnMoney(ctx.ctx, ctx.person)),
  /** All that the person earns: `{ agreed, inReview, paid, disputed, credits, cards, listings }`. */
  getEarnings: signedIn.query(({ ctx }) => readEarnings(ctx.ctx, ctx.person)),
  /** What waits in the escrow for the person's wallet, one entry for each token. */
  getCredits: signedIn.query(({ ctx }) => getCredits(ctx.ctx, ctx.person.address)),
  /** What the wallet is to sign; `withdrawCredit` takes the same `to` and `deadline` with the signature. */
  getWithdrawalTerms: signedIn.input(WithdrawCredit.pick({ to: true })).query(({ ctx, input }) => getWithdrawalTerms(ctx.ctx, input.to)),
  withdrawCredit: open
    .input(WithdrawCredit.omit({ type: true }))
    .mutation(async ({ ctx, input }) =>
      z.object({ withdrawal_id: z.string(), state: z.string() }).parse(await admit(ctx.ctx, { ...input, type: 'credit.withdraw' })),
    ),
  /** After the expiry: sends the rest back now. */
  reclaim: open
    .input(goal)
    .mutation(async ({ ctx, input }) =>
      z.object({ goal_id: z.string(), state: z.string() }).parse(await admit(ctx.ctx, { type: 'hold.reclaim', ...input })),
    ),
  /** The person's payout account, and the shares of card-funded goals that were sent or wait for it. */
  getCardEarnings: signedIn.query(({ ctx }) => getCardEarnings(ctx.ctx, ctx.person.did)),
  /** What the wallet signs; `openPayoutAccount` takes the same `deadline` with the signature. */
  getPayoutAccountTerms: signedIn.query(({ ctx }) => getPayoutAccountTerms(ctx.ctx)),
  /** Opens the payout account, once, and answers the page on which it is completed: `{ url }`. */
  openPayoutAccount: open
    .input(OpenPayoutAccount.omit({ type: true }))
    .mutation(async ({ ctx, input }) => z.object({ url: z.url() }).parse(await admit(ctx.ctx, { ...input, type: 'payout-account.open' }))),
  /** After coming back from that page: reads what Stripe says of the account now. */
  refreshPayoutAccount: signedIn.meta({ rate: 'money' }).mutation(async ({ ctx }) => {
    await refreshOwnAccount(ctx.ctx, ctx.person.did)
    return (await getCardEarnings(ctx.ctx, ctx.person.did)).account
  }),
  getTransaction: open
    .input(z.object({ hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }))
    .query(({ ctx, input }) => readTransaction(ctx.ctx, input.hash)),
  /** For operators: alarms of the chain, the settler's means, and what is under way. */
  getChainHealth: signedIn.query(async ({ ctx }) => {
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
  cancelTransaction: signedIn
    .meta({ rate: 'money' })
    .input(z.object({ transaction_id: z.uuid() }))
    .mutation(({ ctx, input }) => cancelTransaction(ctx.ctx, input)),
  /** For operators: events of the chain that could not be booked. `evidence`: JSON of the events, with the logs as the node gave them. */
  listDeadLetters: signedIn.query(async ({ ctx }) => {
    const letters = await listDeadLetters(ctx.ctx)
    return letters.map(({ events, ...letter }) => ({ ...letter, evidence: JSON.stringify(events, null, 2) }))
  }),
  /** For operators: books them again, and what waits behind them. */
  retryDeadLetter: signedIn
    .meta({ rate: 'money' })
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => retryDeadLetter(ctx.ctx, input)),
  /** For operators: once what kept a settlement from its payment is out of the way. */
  retry: signedIn
    .meta({ rate: 'money' })
    .input(goal)
    .mutation(({ ctx, input }) => retrySettlement(ctx.ctx, input)),
  /** Ledger against chain and Stripe, now. Costs the chain some work: for operators, and on a local chain for all who have signed in. */
  reconcile: signedIn.meta({ rate: 'money' }).query(({ ctx }) => {
    requireBookkeeper(ctx.ctx)
    return reconcile(ctx.ctx)
  }),
  /** What the nightly comparison, or the one at the last start, has found. Null before the first. */
  getReconciliation: signedIn.input(z.object({ id: z.uuid().optional() })).query(({ ctx, input }) => {
    requireBookkeeper(ctx.ctx)
    return getReconciliation(ctx.ctx, input.id)
  }),
  listReconciliations: signedIn.query(({ ctx }) => {
    requireBookkeeper(ctx.ctx)
    return listReconciliations(ctx.ctx)
  }),
})

function requireBookkeeper(ctx: Context): void {
  if (mayReadOperations(ctx)) return
  throw new DomainError('permission.denied', 'Only operators may reconcile.', { hint: 'Ask an operator of this market.' })
}
