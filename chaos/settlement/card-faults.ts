import { setTimeout as pause } from 'node:timers/promises'
import type { RunContext } from './run-context.ts'
import { pollUntil } from './test-environment.ts'

const windowMs = 3_000
const patienceMs = 20_000

/** The random faults of calls to Stripe. */
export function tallyStripe({ slots, tally }: RunContext): void {
  for (const { stripe } of slots)
    stripe.onFault = (what) => {
      if (what === 'broken') tally.note('stripe_5xx')
      if (what === 'stalled') tally.note('stripe_no_answer')
      if (what === 'lost') tally.note('stripe_answer_lost')
      if (what === 'own 500') tally.note('stripe_5xx_after_effect')
    }
}

/** Stripe sends the money, answers 500, and repeats that answer for the same key. */
export async function breakAfterEffect({ cardMarket, tally }: RunContext): Promise<boolean> {
  const before = tally.count('stripe_5xx_after_effect')
  cardMarket.double.fault('transfer', 'broken_after')
  return (await pollUntil(patienceMs, async () => tally.count('stripe_5xx_after_effect') > before)) !== null
}

/** Each webhook arrives twice. */
export async function duplicateWebhooks({ cardMarket }: RunContext): Promise<boolean> {
  const { webhookSender } = cardMarket.double
  const before = webhookSender.answers.length
  webhookSender.setDelivery({ mode: 'twice' })
  const came = await pollUntil(patienceMs, async () => webhookSender.answers.length >= before + 2)
  await pause(came === null ? 0 : windowMs)
  webhookSender.setDelivery({ mode: 'once' })
  return came !== null
}

/** Webhooks are delayed, and arrive newest first. */
export async function reorderWebhooks({ cardMarket }: RunContext): Promise<boolean> {
  const { webhookSender, context } = cardMarket.double
  webhookSender.setDelivery({ mode: 'late', reversed: true })
  const came = await pollUntil(patienceMs, async () => context.state.notices.length >= 2)
  await pause(came === null ? 0 : windowMs)
  await webhookSender.flush()
  webhookSender.setDelivery({ mode: 'once' })
  await webhookSender.flush()
  return came !== null
}

/** A refund is pending, and then the client's bank returns it. */
export async function failCardRefund({ cardMarket, progress }: RunContext): Promise<boolean> {
  let failed = 0
  cardMarket.failRefunds(1, (goalId) => {
    failed++
    progress.concern(goalId)
  })
  const came = await pollUntil(patienceMs, async () => failed > 0)
  cardMarket.failRefunds(0, () => {})
  return came !== null
}
