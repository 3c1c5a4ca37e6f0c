import { Event } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { formatTraceparent } from '../telemetry/index.ts'

/** Transactional outbox: stores an event and schedules its handler in the caller's transaction, both or neither. */
export async function enqueue(tx: Context, event: Event): Promise<void> {
  const body = Event.parse(event)
  const id = tx.ids.next('evt')
  await tx.db.$executeRaw`
    with noted as (insert into "outbox_event" ("id", "type", "body", "createdAt") values (${id}, ${body.type}, ${JSON.stringify(body)}::jsonb, ${tx.clock.now()}))
    select ${addJobSql(tx, 'handle-event', { eventId: id }, { jobKey: id })}`
}

export type ScheduleOptions = {
  /** A job replaces a pending one with the same key. */
  readonly jobKey?: string
  readonly runAt?: Date
  /** Jobs of one queue run in sequence. */
  readonly queue?: string
  readonly maxAttempts?: number
}

/** Schedules a job in the caller's transaction. It runs at least once, after the commit, in one of the hub processes. */
export async function schedule(
  tx: Context,
  task: string,
  payload: { readonly [key: string]: string | number },
  options: ScheduleOptions = {},
): Promise<void> {
  await tx.db.$executeRaw`select ${addJobSql(tx, task, payload, options)}`
}

function addJobSql(tx: Context, task: string, payload: { readonly [key: string]: string | number }, options: ScheduleOptions): Prisma.Sql {
  // The handler continues the trace of the sender.
  const left = tx.trace ? { ...payload, traceparent: formatTraceparent(tx.trace) } : payload
  return Prisma.sql`
    graphile_worker.add_job(${task}, ${JSON.stringify(left)}::json, queue_name => ${options.queue ?? null}::text, run_at => ${options.runAt ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? 25}::int, job_key => ${options.jobKey ?? null}::text)`
}
