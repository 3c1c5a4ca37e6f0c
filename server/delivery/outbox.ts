import { Event } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { traceparentOf } from '../telemetry/index.ts'

/** Writes an event into the outbox and books its handling, in the caller's transaction: both happen, or neither. */
export async function enqueue(tx: Context, event: Event): Promise<void> {
  const body = Event.parse(event)
  const id = tx.ids.next('evt')
  await tx.db.$executeRaw`
    with noted as (insert into "outbox_event" ("id", "type", "body", "createdAt") values (${id}, ${body.type}, ${JSON.stringify(body)}::jsonb, ${tx.clock.now()}))
    select ${addJobSql(tx, 'react', { eventId: id }, { jobKey: id })}`
}

export type ScheduleOptions = {
  /** A second job with the same key replaces the first while that one hasn't run. */
  readonly jobKey?: string
  readonly runAt?: Date
  /** Jobs of one queue run one after the other. */
  readonly queue?: string
  readonly maxAttempts?: number
}

/** Books a job in the caller's transaction. It runs at least once, after the commit, in some hub process. */
export async function schedule(
  tx: Context,
  task: string,
  payload: { readonly [key: string]: string | number },
  options: ScheduleOptions = {},
): Promise<void> {
  await tx.db.$executeRaw`select ${addJobSql(tx, task, payload, options)}`
}

function addJobSql(tx: Context, task: string, payload: { readonly [key: string]: string | number }, options: ScheduleOptions): Prisma.Sql {
  // Who takes it goes on in the trace of whoever left it.
  const left = tx.trace ? { ...payload, trace: traceparentOf(tx.trace) } : payload
  return Prisma.sql`
    graphile_worker.add_job(${task}, ${JSON.stringify(left)}::json, queue_name => ${options.queue ?? null}::text, run_at => ${options.runAt ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? 25}::int, job_key => ${options.jobKey ?? null}::text)`
}
