import { formatAmount } from '@parley/protocol'
import { budgetOf } from './budget.ts'
import { type MarketView, payOf, type RunView, type StepView } from './run.ts'
import { stepStatus } from './step-status.ts'

export type Tone = 'waiting' | 'working' | 'asks-you' | 'good' | 'ended' | 'bad'
export type StatusSentence = { readonly text: string; readonly tone: Tone }

type Viewer = { readonly isClient: boolean; readonly nameOf: (agentId: string) => string }

/** "41 min", "3 h", "2 days"; "no time" once it is over. */
export function spanOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 0) return 'no time'
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return `${minutes} min`
  if (minutes < 72 * 60) return `${Math.floor(minutes / 60)} h`
  return `${Math.round(minutes / 1440)} days`
}

/** One plain sentence on what is happening: the page's headline and its title. */
export function statusSentence(run: RunView, market: MarketView, viewer: Viewer, now: Date): StatusSentence {
  const symbol = isCard(run) ? 'USD' : market.symbol
  const money = (amount: bigint) => `${formatAmount(amount, market.decimals)} ${symbol}`
  const say = (tone: Tone, text: string): StatusSentence => ({ tone, text })
  const { goal } = run
  switch (goal.state) {
    case 'funding':
      return fundingSentence(run, money, viewer)
    case 'open':
      if (goal.principalId !== null) return underwaySentence(run, money, viewer, now)
      return say('waiting', `Open: ${money(goal.budget)} is set aside, waiting for a planner to take the goal.`)
    case 'underway':
      return underwaySentence(run, money, viewer, now)
    case 'review':
      if (goal.outcome === 'failed' && goal.reviewBy) return failedSentence(run, viewer, spanOf(goal.reviewBy.getTime() - now.getTime()))
      return say(
        viewer.isClient ? 'asks-you' : 'waiting',
        goal.reviewBy
          ? `Delivered. ${viewer.isClient ? 'You have' : 'The client has'} ${spanOf(goal.reviewBy.getTime() - now.getTime())} to accept or return it; after that the delivered work is paid.`
          : 'Delivered, and waiting for the review.',
      )
    case 'settling': {
      const left = (run.hold?.disputeBy ?? 0) * 1_000 - now.getTime()
      if (left > 0) return say('waiting', disputableSentence(run, spanOf(left)))
      return run.hold?.state === 'voiding'
        ? say('working', `Ending: ${money(goal.budget)} is on its way back to the client.`)
        : say(
            'working',
            isCard(run) ? 'Settling: every publisher is sent its share.' : 'Settling: one transaction on chain pays everybody.',
          )
    }
    case 'paid': {
      const { earned, refundable } = budgetOf(run)
      const paid = run.steps.filter((step) => step.state === 'paid')
      const payees = new Set(paid.map((step) => step.agentId)).size
      const received = paid.reduce((sum, step) => sum + payOf(step), 0n)
      const fee = earned > received ? ` The fee was ${money(earned - received)}.` : ''
      const back = refundable > 0n ? ` ${money(refundable)} went back.` : ''
      return say('good', `Paid: ${payees} ${payees === 1 ? 'agent' : 'agents'} received ${money(received)}.${fee}${back}`)
    }
    case 'refunded':
      return say('ended', `Ended without payment: ${money(goal.budget)} went back to the client.`)
    case 'canceled':
      return say('ended', 'Canceled before any money moved.')
    default:
      return goal.state satisfies never
  }
}

/** What was finished of a goal that has failed is decided like any other work. */
function failedSentence(run: RunView, viewer: Viewer, left: string): StatusSentence {
  const finished = run.steps.filter((step) => step.state === 'done').length
  const steps = finished === 1 ? 'the finished step' : `the ${finished} finished steps`
  const who = viewer.isClient ? 'You have' : 'The client has'
  return {
    tone: viewer.isClient ? 'asks-you' : 'waiting',
    text: `Ended without a result. ${who} ${left} to accept or return ${steps}; after that ${finished === 1 ? 'it is' : 'they are'} paid. The rest goes back with that.`,
  }
}

function disputableSentence(run: RunView, left: string): string {
  return run.hold?.state === 'voiding'
    ? `Returned: the money stays in the escrow ${left} more, so that the return can be disputed; then it goes back to the client.`
    : `Settling: what was accepted is paid. The rest stays in the escrow ${left} more, so that what was returned can be disputed.`
}

function fundingSentence(run: RunView, money: (amount: bigint) => string, viewer: Viewer): StatusSentence {
  if (run.hold?.failure) return { tone: 'bad', text: `Funding failed and no money moved: ${run.hold.failure}` }
  if (!run.hold?.isSigned)
    return viewer.isClient
      ? {
          tone: 'asks-you',
          text: `Not public yet: ${money(run.goal.budget)} is to be ${isCard(run) ? 'paid by card' : 'set aside with one signature'}.`,
        }
      : { tone: 'waiting', text: 'Waiting for the client to set the money aside.' }
  return { tone: 'working', text: `Confirming: ${money(run.goal.budget)} is being set aside on chain.` }
}

function isCard(run: RunView): boolean {
  return run.hold?.rail === 'stripe'
}

function underwaySentence(run: RunView, money: (amount: bigint) => string, viewer: Viewer, now: Date): StatusSentence {
  if (run.hasOpenQuestion)
    return viewer.isClient
      ? { tone: 'asks-you', text: 'The planner has a question for you; the work waits for your answer.' }
      : { tone: 'waiting', text: 'The planner has asked the client a question and waits.' }
  const approval = approvalSentence(run, viewer, now)
  if (approval) return approval
  if (run.asked === 'charter')
    return viewer.isClient
      ? { tone: 'asks-you', text: 'The planner has a charter for you: nobody is hired before you have confirmed it.' }
      : { tone: 'waiting', text: 'The planner has put its charter before the client and waits.' }
  if (run.asked === 'steps')
    return viewer.isClient
      ? { tone: 'asks-you', text: 'A step is ready and waits for your word.' }
      : { tone: 'waiting', text: 'A step is ready and waits for the client’s word.' }
  if (!run.team) return { tone: 'working', text: 'A planner has taken the goal and is choosing a team.' }
  if (run.team.state === 'forming') {
    const signed = run.team.answers.filter((one) => one.answer === 'accepted').length
    const declined = run.team.answers.some((one) => one.answer === 'declined')
    return declined
      ? { tone: 'working', text: 'An agent declined; the planner is looking for another.' }
      : { tone: 'working', text: `The team is agreeing: ${signed} of ${run.team.answers.length} have signed the charter.` }
  }
  if (!run.team.isRecorded)
    return { tone: 'working', text: `Everybody has signed; the charter is being recorded${isCard(run) ? '' : ' on chain'}.` }
  const { earned, total } = budgetOf(run)
  const done = run.steps.filter((step) => step.state === 'done' || step.state === 'paid').length
  const left = timeLeft(run, now)
  return {
    tone: 'working',
    text: `${done} of ${run.steps.length} steps done${activity(run, viewer)} · ${money(earned)} of ${money(total)} earned · ${left}`,
  }
}

/** What the team waits for from the client; null where that is nothing. */
function approvalSentence({ approval, team }: RunView, viewer: Viewer, now: Date): StatusSentence | null {
  const asks = (own: string, others: string): StatusSentence =>
    viewer.isClient ? { tone: 'asks-you', text: own } : { tone: 'waiting', text: others }
  switch (approval?.state) {
    case 'open':
      return asks('Waiting for your approval: all members have signed.', 'Waiting for the client’s approval of the team.')
    case 'proposed': {
      const left = spanOf((approval.payableFrom ?? 0) * 1_000 - now.getTime())
      return approval.isKnown
        ? asks(
            `Waiting for your approval: the team begins in ${left}, unless you veto it.`,
            `Waiting for the client’s approval: the team begins in ${left}, unless the client vetoes it.`,
          )
        : asks(
            `A team that this market does not know was proposed on chain. You have ${left} to veto it.`,
            `A team that this market does not know was proposed on chain. The client has ${left} to veto it.`,
          )
    }
    case 'vetoed': {
      if (team && team.version !== approval.version) return null
      const who = viewer.isClient ? 'You have' : 'The client has'
      return { tone: 'working', text: `${who} vetoed the team; the planner may propose another.` }
    }
    default:
      return null
  }
}

function timeLeft(run: RunView, now: Date): string {
  const ms = run.goal.deadline.getTime() - now.getTime()
  return ms <= 0 ? 'the deadline has passed' : `ends in ${spanOf(ms)}`
}

function activity(run: RunView, viewer: Viewer): string {
  const busy = run.steps.filter((step) => stepStatus(step, run.steps, run.tasks) === 'working')
  const [first, ...others] = busy
  const failed = run.steps.find((step) => stepStatus(step, run.steps, run.tasks) === 'failed')
  if (!first) return failed ? ` · “${failed.title}” failed, and the planner decides what follows` : ''
  const named = (step: StepView) => `${viewer.nameOf(step.agentId)} works on “${step.title}”`
  return others.length === 0
    ? ` · ${named(first)}`
    : ` · ${named(first)}, ${others.length} more ${others.length === 1 ? 'step' : 'steps'} in parallel`
}
