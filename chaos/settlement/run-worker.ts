// A settlement worker that ends itself at the given failpoint, as a power failure would. It reads its commands as a line of JSON.
import fs from 'node:fs'
import readline from 'node:readline'
import { type Clock, systemClock } from '../../server/clock.ts'
import type { Context } from '../../server/context.ts'
import type { SettlementPoint } from '../../server/ports.ts'
import { applyWebhookEvent, runSettlementCycle, runStripeCycle, sweepStripe } from '../../server/settlement/index.ts'
import { openSettlementServices, type SettlementSettings } from './open-settlement-services.ts'

/**
 * `point` null: it works until it is killed. `nth`: at which visit of the failpoint. `jumps`: the errors of its clock in milliseconds,
 * each in turn for `jumpEveryMs`; empty for a correct clock.
 */
export type WorkerOptions = {
  readonly place: SettlementSettings
  readonly point: SettlementPoint | null
  readonly nth: number
  readonly jumps: readonly number[]
}

const jumpEveryMs = 400
/** What the queue does in production: pauses between rounds, and how often Stripe is polled for what no webhook reported. */
const [chainPauseMs, cardPauseMs, sweepEveryMs] = [20, 100, 4_000]

/** An adjustable clock. Reports each adjustment. */
function jumpingClock(jumps: readonly number[]): Clock {
  const startedAt = Date.now()
  let last = 0
  return {
    now() {
      const at = Date.now()
      const turn = Math.floor((at - startedAt) / jumpEveryMs)
      const wrong = jumps[turn % jumps.length] ?? 0
      if (wrong !== last) fs.writeSync(1, 'jumped\n')
      last = wrong
      return new Date(at + wrong)
    },
  }
}

async function work({ place, point, nth, jumps }: WorkerOptions): Promise<void> {
  let times = 0
  const reached = async (here: SettlementPoint) => {
    if (here !== point || ++times < nth) return
    fs.writeSync(1, `died ${here}\n`)
    process.kill(process.pid, 'SIGKILL')
    // The signal is asynchronous. No code may run after the failpoint.
    await new Promise(() => {})
  }
  const { system } = await openSettlementServices(place, reached, jumpingClock(jumps), 'warn')
  fs.writeSync(1, 'working\n')
  // Card payments also depend on Stripe's clock, so only the rounds of the chain use the wrong clock.
  void keepCards({ ...system, clock: systemClock })
  for (;;) {
    // The next round starts from the beginning after any failure.
    await runSettlementCycle(system).catch((err: unknown) => system.log.warn({ event: 'settlement.round_failed', err }, 'A round failed.'))
    fs.writeSync(1, 'round\n')
    await pause(chainPauseMs)
  }
}

/** The rounds with Stripe, and the jobs from its webhooks. */
async function keepCards(system: Context): Promise<void> {
  for (let sweptAt = Date.now(); ; await pause(cardPauseMs)) {
    await runStripeCycle(system).catch(() => {})
    const waiting = await system.db.stripeEvent.findMany({ where: { handledAt: null }, take: 50 }).catch(() => [])
    for (const { id } of waiting) await applyWebhookEvent(system, id).catch(() => {})
    if (Date.now() - sweptAt < sweepEveryMs) continue
    await sweepStripe(system, 1).catch(() => {})
    sweptAt = Date.now()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

// The parent process is gone, so this process ends.
process.stdin.on('end', () => process.exit(0))
readline.createInterface({ input: process.stdin }).once('line', (line) => {
  // If the start fails, the next process starts from the beginning.
  work(JSON.parse(line) as WorkerOptions).catch((error: unknown) => {
    fs.writeSync(1, `failed ${String(error)}\n`)
    process.exit(1)
  })
})
