import { formatAmount } from '@parley/protocol'
import type { Translate } from '../../../_messages/translate-types.ts'
import { holdBreakdown } from './budget/hold-breakdown.ts'
import { type MarketView, payOf, type RunStep, type RunView } from './run-view.ts'
import { stepStatus } from './steps/step-status.ts'

export type StatusTone = 'waiting' | 'working' | 'asks-you' | 'good' | 'ended' | 'bad'
export type StatusSentence = { readonly text: string; readonly tone: StatusTone }

type Viewer = { readonly isClient: boolean; readonly nameOf: (agentId: string) => string }
type Words = Translate<'views.status'>
/** The input of a goal's status sentences. `who`: whether the reader is the client. */
type SentenceInput = {
  readonly t: Words
  readonly money: (amount: bigint) => string
  readonly viewer: Viewer
  readonly who: 'client' | 'other'
  readonly now: Date
}

/** "41 min", "3 h", "2 days"; "no time" once it is over. */
export function spanOf(ms: number, t: Words): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 0) return t('span.over')
  if (minutes < 1) return t('span.underMinute')
  if (minutes < 120) return t('span.minutes', { count: minutes })
  if (minutes < 72 * 60) return t('span.hours', { count: Math.floor(minutes / 60) })
  return t('span.days', { count: Math.round(minutes / 1440) })
}

type SentenceContext = { readonly market: MarketView; readonly viewer: Viewer; readonly now: Date; readonly t: Words }

/** One plain sentence on what is happening: the page's headline and its title. */
export function statusSentence(run: RunView, { market, viewer, now, t }: SentenceContext): StatusSentence {
  const symbol = isCard(run) ? 'USD' : market.symbol
  const money = (amount: bigint) => `${formatAmount(amount, market.decimals)} ${symbol}`
  const context: SentenceInput = { t, money, viewer, who: viewer.isClient ? 'client' : 'other', now }
  const { goal } = run
  switch (goal.state) {
    case 'funding':
      return fundingSentence(run, context)
    case 'open':
      if (goal.principalId !== null) return underwaySentence(run, context)
      return { tone: 'waiting', text: t(goal.contest ? 'contest' : 'open', { amount: money(goal.budget) }) }
    case 'underway':
      return underwaySentence(run, context)
    case 'review':
      return reviewSentence(run, context)
    case 'settling':
      return settlingSentence(run, context)
    case 'paid':
      return { tone: 'good', text: paidSentence(run, context) }
    case 'refunded':
      return { tone: 'ended', text: t('refunded', { amount: money(goal.budget) }) }
    case 'canceled':
      return { tone: 'ended', text: t('canceled') }
    default:
      return goal.state satisfies never
  }
}

function reviewSentence({ goal, steps }: RunView, { t, viewer, who, now }: SentenceInput): StatusSentence {
  const tone = viewer.isClient ? 'asks-you' : 'waiting'
  if (!goal.reviewBy) return { tone, text: t('inReview') }
  const left = spanOf(goal.reviewBy.getTime() - now.getTime(), t)
  const outcome = goal.checks?.isVerified ? 'pay' : (goal.onSilence ?? 'pay')
  // Finished work of a failed goal is reviewed like any other work.
  if (goal.outcome === 'failed')
    return { tone, text: t('failed', { who, left, outcome, steps: steps.filter((step) => step.state === 'done').length }) }
  return { tone, text: t('delivered', { who, left, outcome }) }
}

function settlingSentence(run: RunView, { t, money, viewer, who, now }: SentenceInput): StatusSentence {
  const { submitted } = run
  const untilPayable = (submitted?.payableAt.getTime() ?? 0) - now.getTime()
  if (submitted && submitted.outcome !== 'refund' && untilPayable > 0) {
    const { steps, outcome } = submitted
    const tone = viewer.isClient ? 'asks-you' : 'waiting'
    return { tone, text: t('submittedDisputable', { who, steps: steps.length, outcome, left: spanOf(untilPayable, t) }) }
  }
  const isVoiding = run.hold?.state === 'voiding'
  const ms = (run.hold?.disputeBy ?? 0) * 1_000 - now.getTime()
  if (ms > 0) return { tone: 'waiting', text: t(isVoiding ? 'returnDisputable' : 'restDisputable', { left: spanOf(ms, t) }) }
  if (isVoiding) return { tone: 'working', text: t('voiding', { amount: money(holdBreakdown(run).refundable) }) }
  return { tone: 'working', text: t(isCard(run) ? 'settlingByCard' : 'settlingOnChain') }
}

function paidSentence(run: RunView, { t, money }: SentenceInput): string {
  const { earned, refundable } = holdBreakdown(run)
  const paid = run.steps.filter((step) => step.state === 'paid')
  const received = paid.reduce((sum, step) => sum + payOf(step), 0n)
  const sentences = [
    t('paid', { payees: new Set(paid.map((step) => step.agentId)).size, amount: money(received) }),
    ...(earned > received ? [t('fee', { amount: money(earned - received) })] : []),
    ...(refundable > 0n ? [t('restRefunded', { amount: money(refundable) })] : []),
  ]
  return sentences.join(' ')
}

function fundingSentence(run: RunView, { t, money, viewer }: SentenceInput): StatusSentence {
  const amount = money(run.goal.budget)
  if (run.hold?.failure) return { tone: 'bad', text: t('fundingFailed', { failure: run.hold.failure }) }
  if (run.hold?.isSigned) return { tone: 'working', text: t('fundingConfirming', { amount }) }
  if (!viewer.isClient) return { tone: 'waiting', text: t('fundingWaits') }
  return { tone: 'asks-you', text: t(isCard(run) ? 'fundByCard' : 'fundBySignature', { amount }) }
}

function isCard(run: RunView): boolean {
  return run.hold?.rail === 'stripe'
}

function underwaySentence(run: RunView, context: SentenceInput): StatusSentence {
  const { t, money, viewer, who } = context
  const tone = viewer.isClient ? 'asks-you' : 'waiting'
  if (run.hasOpenQuestion) return { tone, text: t('question', { who }) }
  const approval = approvalSentence(run, context)
  if (approval) return approval
  if (run.asked === 'charter') return { tone, text: t('charterAsked', { who }) }
  if (run.asked === 'steps') return { tone, text: t('stepAsked', { who }) }
  const working = (text: string): StatusSentence => ({ tone: 'working', text })
  if (!run.team) return working(t('choosingTeam'))
  if (run.team.state === 'forming') {
    if (run.team.answers.some((one) => one.answer === 'declined')) return working(t('agentDeclined'))
    const signed = run.team.answers.filter((one) => one.answer === 'accepted').length
    return working(t('teamAgreeing', { signed, members: run.team.answers.length }))
  }
  if (!run.team.isRecorded) return working(t(isCard(run) ? 'recording' : 'recordingOnChain'))
  const { earned, total } = holdBreakdown(run)
  const done = run.steps.filter((step) => step.state === 'done' || step.state === 'paid').length
  const isRevising = run.steps.some((step) => stepStatus(step, run.steps, run.tasks) === 'revising')
  const parts = [
    ...(isRevising ? [t('changesRequested')] : []),
    t('stepsDone', { done, steps: run.steps.length }),
    ...activity(run, context),
    t('earned', { earned: money(earned), total: money(total) }),
    timeLeft(run, context),
  ]
  return working(parts.join(' · '))
}

/** The decision that the team waits for from the client; null if none. */
function approvalSentence({ approval, team }: RunView, { t, viewer, who, now }: SentenceInput): StatusSentence | null {
  const tone = viewer.isClient ? 'asks-you' : 'waiting'
  switch (approval?.state) {
    case 'open':
      return { tone, text: t('approvalOpen', { who }) }
    case 'proposed': {
      const left = spanOf((approval.payableFrom ?? 0) * 1_000 - now.getTime(), t)
      return { tone, text: t(approval.isKnown ? 'approvalProposed' : 'unknownTeamProposed', { who, left }) }
    }
    case 'vetoed':
      return team && team.version !== approval.version ? null : { tone: 'working', text: t('vetoed', { who }) }
    default:
      return null
  }
}

function timeLeft({ goal }: RunView, { t, now }: SentenceInput): string {
  const ms = goal.deadline.getTime() - now.getTime()
  return ms <= 0 ? t('deadlinePassed') : t('endsIn', { span: spanOf(ms, t) })
}

function activity(run: RunView, { t, viewer }: SentenceInput): string[] {
  const statusOf = (step: RunStep) => stepStatus(step, run.steps, run.tasks)
  const [first, ...others] = run.steps.filter((step) => statusOf(step) === 'working')
  const failed = run.steps.find((step) => statusOf(step) === 'failed')
  if (first) return [t('worksOn', { name: viewer.nameOf(first.agentId), title: first.title, others: others.length })]
  return failed ? [t('stepFailed', { title: failed.title })] : []
}
