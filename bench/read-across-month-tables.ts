// `npm run bench:months`: the time to read a room whose messages are in the tables of 1, 60 and 120 months. It is measured on one thread
// without other load. Last line: {"name":"bench:months","ok":true,"figures":{…}}
import { type Envelope, signEnvelope, uuidv7 } from '@parley/protocol'
import { composeServices } from '../server/compose.ts'
import type { Context } from '../server/context.ts'
import { appendMessage, createPartitions, openLog, readStoredMessages } from '../server/delivery/index.ts'
import { readEnvironment } from '../server/env.ts'
import { bareHub } from '../test/support/bare-hub-environment.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'

const spans = [1, 60, 120]
const perMonth = 10
const pageOf = 100
const rounds = 60
/** The time until the first page of a room is read, from any position. */
const maxMs = 20
const monthMs = 31 * 86_400_000
const roomId = `rom_${'1'.repeat(32)}`

/** Writes until the room reaches over so many months. */
async function fill(ctx: Context, clock: { offset: number }, from: number, to: number): Promise<void> {
  for (let month = from; month < to; month++) {
    await createPartitions(ctx)
    for (let index = 0; index < perMonth; index++) await write(ctx, `month ${month}, word ${index}`)
    clock.offset += monthMs
  }
}

async function write(ctx: Context, text: string): Promise<void> {
  const { signer } = ctx.ports
  const id = uuidv7(ctx.clock.now().getTime(), crypto.getRandomValues(new Uint8Array(10)))
  const draft = { id, room_id: roomId, sender_id: signer.did, state: 'discussion', type: 'discussion', parts: [{ text }] }
  const envelope = (await signEnvelope(signer, draft as never)) as Envelope & { sig: NonNullable<Envelope['sig']> }
  await ctx.db.$transaction((db) => appendMessage({ ...ctx, db }, envelope, { isOurs: false, from: 'bench' }))
}

/** The median of so many reads, in milliseconds. */
async function timed(ctx: Context, after: number, expected: number): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    const rows = await readStoredMessages(ctx, { roomId, after, limit: pageOf })
    took.push(performance.now() - begun)
    if (rows.length !== expected) throw new Error(`${rows.length} rows instead of ${expected}`)
  }
  return Number((took.sort((a, b) => a - b)[rounds / 2] ?? 0).toFixed(2))
}

async function main(): Promise<boolean> {
  const cluster = await startTestCluster()
  try {
    await using database = await createDatabaseOn(cluster.admin)
    const clock = { offset: 0, now: () => new Date(Date.now() + clock.offset) }
    const world = await composeServices('hub', readEnvironment(bareHub(database.url)), { clock })
    const ctx = world.contextFor({ kind: 'system', name: 'setup' })
    await openLog(ctx, { id: roomId, kind: 'room' })
    const figures: Record<string, number> = {}
    let months = 0
    for (const span of spans) {
      await fill(ctx, clock, months, span)
      months = span
      const head = span * perMonth
      const newest = Math.max(0, head - pageOf)
      figures[`first_page_${span}_ms`] = await timed(ctx, 0, Math.min(pageOf, head))
      figures[`last_page_${span}_ms`] = await timed(ctx, newest, head - newest)
      figures[`last_word_${span}_ms`] = await timed(ctx, head - 1, 1)
      figures[`nothing_new_${span}_ms`] = await timed(ctx, head, 0)
    }
    await world.close()
    const ok = Object.values(figures).every((figure) => figure <= maxMs)
    console.log(JSON.stringify({ name: 'bench:months', ok, figures }))
    return ok
  } finally {
    await cluster.stop()
  }
}

process.exitCode = (await main()) ? 0 : 1
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
