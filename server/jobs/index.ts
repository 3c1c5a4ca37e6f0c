/**
 * Owns background work: events of the outbox, scheduled jobs, and the loops for the chain and Stripe.
 * Never decides: every job calls a function that may run twice.
 * Reads every module.
 */
import { Logger, type Runner, run, type TaskList } from 'graphile-worker'
import { z } from 'zod'
import { expireCall } from '../calls/index.ts'
import type { Context } from '../context.ts'
import { openJobQueuePool, prepareQueue } from '../db/job-queue-pool.ts'
import { rewriteErasedFiles } from '../delivery/index.ts'
import { syncPeers } from '../federation/index.ts'
import {
  announceGoalToOthers,
  applyClientSilenceOutcome,
  checkNextEntryOfEachClient,
  endUnconcludedWork,
  matchDemandsWithOnlineAgents,
  performDueContestAction,
  remindClientOfReview,
  reopenReviewAfterMissedRevision,
  submitDueCardDisputeEvidence,
} from '../goals/index.ts'
import { deleteExpiredNotes } from '../memory/index.ts'
import { createMissingNotifications, sendDueNotifications } from '../notifications/index.ts'
import { applyPayoutChange } from '../registry/index.ts'
import {
  applyWebhookEvent,
  checkSettlerBalance,
  runSettlementCycle,
  runStripeCycle,
  submitReclaim,
  sweepStripe,
} from '../settlement/index.ts'
import { expireTaskLease } from '../tasks/index.ts'
import { joinTrace, withSpan } from '../telemetry/index.ts'
import { handleEvent } from './handle-event.ts'
import type { JobName, MoneyLoop } from './job-names.ts'
import { type LeaderElection, openLeaderElection } from './leader-election.ts'
import { maintainMessagePartitions } from './maintain-message-partitions.ts'
import { reconcileLedgerAndLog } from './reconcile-ledger-and-log.ts'

export { reconcileLedgerAndLog } from './reconcile-ledger-and-log.ts'

/** How often the settler's balance is checked, even without settlements. */
const settlerIntervalMs = 60_000
/** The maximum pause between two rounds after failures. CHAIN_CANCEL_AFTER_SECONDS depends on it. */
export const maxPauseMs = 15_000

export type Jobs = { close(): Promise<void> }
export type JobOptions = {
  readonly chainIntervalMs?: number
  readonly cardIntervalMs?: number
  readonly deadIntervalMs?: number
  readonly notificationIntervalMs?: number
  readonly retentionDays?: number | undefined
}

function taskList(ctx: Context, retentionDays: number | undefined): { readonly [job in JobName]: (payload: unknown) => Promise<void> } {
  const goal = (verb: (ctx: Context, goalId: string) => Promise<void>) => async (payload: unknown) =>
    verb(ctx, z.object({ goalId: z.string() }).parse(payload).goalId)
  return {
    'handle-event': async (payload) => handleEvent(ctx, z.object({ eventId: z.string() }).parse(payload).eventId),
    'expire-task': async (payload) => expireTaskLease(ctx, z.object({ taskId: z.string() }).parse(payload).taskId),
    'expire-call': async (payload) => expireCall(ctx, z.object({ callId: z.string() }).parse(payload).callId),
    'expire-review': goal(applyClientSilenceOutcome),
    'expire-revision': goal(reopenReviewAfterMissedRevision),
    'expire-work': goal(endUnconcludedWork),
    'expire-contest': goal(performDueContestAction),
    'remind-review': goal(remindClientOfReview),
    'reclaim-hold': goal(submitReclaim),
    'handle-webhook-event': async (payload) => applyWebhookEvent(ctx, z.object({ stripeEventId: z.string() }).parse(payload).stripeEventId),
    'sweep-stripe': async () => sweepStripe(ctx),
    'answer-card-disputes': async () => submitDueCardDisputeEvidence(ctx),
    'sync-peers': async () => syncPeers(ctx),
    reconcile: async () => reconcileLedgerAndLog(ctx, 'full'),
    'reconcile-recent': async () => reconcileLedgerAndLog(ctx, 'incremental'),
    'apply-retention': async () => maintainMessagePartitions(ctx, retentionDays),
    'rewrite-erased-files': async () => void (await rewriteErasedFiles(ctx)),
    'announce-goal-to-others': goal(announceGoalToOthers),
    'apply-payout': async (payload) => applyPayoutChange(ctx, z.object({ agentId: z.string() }).parse(payload).agentId),
    'match-demands': async () => void (await matchDemandsWithOnlineAgents(ctx)),
    'create-notifications': async () => void (await createMissingNotifications(ctx)),
    'expire-memory': async () => void (await deleteExpiredNotes(ctx)),
  }
}

/** The task list, with each job in the trace of its command. Scheduled jobs have no trace. */
function tracedTasks(ctx: Context, retentionDays: number | undefined): TaskList {
  const tasks = taskList(ctx, retentionDays)
  const run = (task: JobName): TaskList[string] => {
    const job = tasks[task]
    return async (payload) => {
      const left = z.object({ traceparent: z.string() }).safeParse(payload)
      if (!left.success || ctx.ports.traces === null) return job(payload)
      return withSpan(joinTrace(ctx, left.data.traceparent), { name: `job ${task}`, kind: 'consumer' }, async (own) =>
        taskList(own, retentionDays)[task](payload),
      )
    }
  }
  return Object.fromEntries((Object.keys(tasks) as JobName[]).map((task) => [task, run(task)]))
}

/** Creates the tables of the job queue, which `schedule` writes into. Runs before any other write. */
export async function prepareJobs(databaseUrl: string): Promise<void> {
  await prepareQueue(databaseUrl)
}

/**
 * Runs jobs in this process until closed. Any number of processes may run jobs. Each job, the chain loop and the Stripe loop run in one
 * process at a time. Other processes take over the work of a killed one.
 */
export async function startJobs(ctx: Context, databaseUrl: string, options: JobOptions = {}): Promise<Jobs> {
  const logger = new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning')
      ctx.log.warn({ event: 'job_queue.problem_reported', job: message }, 'The job queue reported a problem.')
  })
  const pgPool = openJobQueuePool(databaseUrl, (error) =>
    ctx.log.warn({ event: 'job_queue.connection_lost', err: error }, 'The job queue lost a database connection.'),
  )
  const runner: Runner = await run({
    pgPool,
    taskList: tracedTasks(ctx, options.retentionDays),
    concurrency: 4,
    // In UTC. A hub that was off runs missed jobs at once.
    crontab:
      '* * * * * sync-peers\n* * * * * answer-card-disputes\n40 2 * * * sweep-stripe\n10 3 * * * reconcile\n20 * * * * reconcile-recent\n50 3 * * * apply-retention ?fill=1d\n*/5 * * * * expire-memory\n*/2 * * * * match-demands\n* * * * * create-notifications',
    pollInterval: 1_000,
    noHandleSignals: true,
    logger,
  })
  const duties = openLeaderElection(databaseUrl, ctx.log)
  runner.events.on('worker:getJob:start', ({ worker }) => duties.registerWorker(worker.workerId))
  const onDuty =
    (duty: MoneyLoop | 'dead-workers' | 'entries', round: Round): Round =>
    async (own) =>
      (await duties.isLeader(duty)) ? round(own) : undefined
  const loops = [
    startLoop(ctx, 'chain', onDuty('chain', runSettlementCycle), options.chainIntervalMs ?? 250),
    startLoop(
      ctx,
      'balance',
      onDuty('chain', async (own) => void (await checkSettlerBalance(own))),
      settlerIntervalMs,
    ),
    // Webhooks trigger it. Its own rounds find what webhooks missed.
    startLoop(ctx, 'stripe', onDuty('cards', runStripeCycle), options.cardIntervalMs ?? 1_000),
    startLoop(
      ctx,
      'dead-workers',
      onDuty('dead-workers', (own) => freeJobs(own, duties)),
      options.deadIntervalMs ?? 5_000,
    ),
    startLoop(
      ctx,
      'entries',
      onDuty('entries', async (own) => void (await checkNextEntryOfEachClient(own))),
      1_000,
    ),
    // Beside the job queue, whose few workers a slow receiver must not occupy. Each process sends under leases.
    startLoop(ctx, 'notifications', async (own) => void (await sendDueNotifications(own)), options.notificationIntervalMs ?? 1_000),
  ]
  return {
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
      await runner.stop()
      await pgPool.end()
      await duties.close()
    },
  }
}

type Round = (ctx: Context) => Promise<void>

async function freeJobs(ctx: Context, duties: LeaderElection): Promise<void> {
  const dead = await duties.releaseJobsOfDeadWorkers()
  if (dead > 0) ctx.log.warn({ event: 'job_queue.jobs_released', workers: dead }, 'The jobs of dead workers were released.')
}

/** Runs `round` repeatedly. A failed round is logged and retried with back-off. */
function startLoop(ctx: Context, loop: string, round: Round, intervalMs: number): Jobs {
  let isClosed = false
  let pause: NodeJS.Timeout | undefined
  let wakeUp = () => {}
  async function rounds(): Promise<void> {
    let failures = 0
    while (!isClosed) {
      try {
        await round(ctx)
        failures = 0
      } catch (error) {
        failures++
        ctx.log.warn({ event: 'job_loop.round_failed', loop, err: error, failures }, 'A round of a job loop failed.')
      }
      if (isClosed) return
      await new Promise<void>((resolve) => {
        wakeUp = resolve
        pause = setTimeout(resolve, Math.min(intervalMs * 2 ** Math.min(failures, 6), maxPauseMs))
      })
    }
  }
  const running = rounds()
  return {
    async close() {
      isClosed = true
      clearTimeout(pause)
      wakeUp()
      await running
    },
  }
}
