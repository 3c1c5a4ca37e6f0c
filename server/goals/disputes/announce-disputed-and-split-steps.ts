import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { ruleAcceptedStep, type StepNotification, takeUnsentStepNotifications } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { listTasks } from '../../tasks/index.ts'
import { lockGoal } from '../goal-store.ts'
import { settleGoal } from '../request-settlement.ts'

/** The rail has recorded a dispute, a split or a submission: announces it in the room. The rest of the goal does not wait for it. Idempotent. */
export async function announceDisputedAndSplitSteps(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    const news = await takeUnsentStepNotifications(tx, goalId)
    for (const one of news)
      await postSystemMessage(tx, {
        roomId: goal.roomId,
        kind: one.kind,
        text: sentenceOf(one),
        data: { goal_id: goalId, ...dataOf(one) },
      })
    await ruleAcceptedSteps(tx, goalId, news)
    if (news.length > 0) await sendSignal(tx, { topic: 'goal', id: goalId })
  })
  await settleGoal(ctx, goalId)
}

/** What the client has accepted is paid, whether or not it disputes it afterwards. */
async function ruleAcceptedSteps(tx: Context, goalId: string, news: readonly StepNotification[]): Promise<void> {
  const opened = news.filter((one) => one.kind === 'dispute.opened')
  if (opened.length === 0) return
  const accepted = (await listTasks(tx, goalId)).filter((task) => task.state === 'completed' && task.acceptance === 'accepted')
  for (const { step, disputeId } of opened)
    if (accepted.some((task) => task.step === step)) await ruleAcceptedStep(tx, { goalId, disputeId })
}

/** "2026-11-29 10:28 UTC". */
const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const share = (bps: number) => `${bps / 100} %`

function sentenceOf(news: StepNotification): string {
  switch (news.kind) {
    case 'dispute.opened':
      return `Step ${news.step} is disputed. Its money stays in the escrow until a ruling, an agreement, or the expiry of the plan.`
    case 'dispute.ruled':
      return `The arbitrator ruled: ${share(news.payeeBps)} of step ${news.step} is paid.`
    case 'settlement_offer.accepted':
      return `Client and payee agreed: ${share(news.payeeBps)} of step ${news.step} is paid.`
    case 'step.submitted':
      return submissionSentence(news)
    default:
      return news satisfies never
  }
}

function submissionSentence({ step, payableAt, outcome }: Extract<StepNotification, { kind: 'step.submitted' }>): string {
  const until = minuteOf(payableAt)
  const submitted = `The payee submitted step ${step} to the escrow.`
  if (outcome === 'refund') return `${submitted} Unless the client accepts it before ${until}, it is refunded.`
  return `${submitted} Unless the client disputes it before ${until}, the escrow pays ${outcome === 'pay' ? 'it' : 'half of it'}.`
}

function dataOf(news: StepNotification) {
  const { step, tx } = news
  switch (news.kind) {
    case 'dispute.opened':
      return { dispute_id: news.disputeId, step, by: news.by, evidence_hash: news.evidenceHash, tx }
    case 'dispute.ruled':
      return { dispute_id: news.disputeId, step, payee_bps: news.payeeBps, ruling_hash: news.rulingHash, tx }
    case 'settlement_offer.accepted':
      return { step, payee_bps: news.payeeBps, tx }
    case 'step.submitted':
      return { step, payee: news.payee, payable_at: news.payableAt.toISOString(), outcome: news.outcome, tx }
    default:
      return news satisfies never
  }
}
