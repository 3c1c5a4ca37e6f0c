import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../server/context.ts'
import { listChainDeadLetters, retryChainDeadLetter } from '../../server/settlement/index.ts'
import { oneOf } from '../../test/support/random.ts'
import { topUpAtContract } from './channel-calls.ts'
import type { RunContext } from './run-context.ts'
import { pollUntil, retryUntilDone } from './test-environment.ts'

/** How long a subject stays frozen before an operator repairs it. */
const frozenMs = 2_500
/** How long to wait for a subject, and for the effect. */
const [momentMs, foundMs] = [15_000, 60_000]

/** From now on the database refuses log entries about the subjects in a table. */
export async function refuseBookingInDatabase({ db }: Context): Promise<void> {
  await db.$executeRawUnsafe('create table planted_refusal ("subject" text primary key)')
  for (const [table, column] of [
    ['hold', 'goalId'],
    ['channel', 'id'],
  ] as const) {
    await db.$executeRawUnsafe(
      `create function refuse_planted_${table}() returns trigger as $$ begin
         if coalesce(current_setting('parley.booking', true), '') <> '' and exists (select 1 from planted_refusal where "subject" = new."${column}")
         then raise exception 'planted'; end if; return new; end $$ language plpgsql`,
    )
    await db.$executeRawUnsafe(
      `create trigger refuse_planted before update on "${table}" for each row execute function refuse_planted_${table}()`,
    )
  }
}

/** The events of one goal cannot be booked: it is frozen, all others continue, and an operator repairs it. */
export async function refuseBookingOfGoal(run: RunContext): Promise<boolean> {
  const { system, goals, random, progress } = run
  const goalId = await pollUntil(momentMs, async () => {
    const open = goals.filter((goal) => !progress.isConcerned(goal.goalId)).map((goal) => goal.goalId)
    const where = { goalId: { in: open }, state: { in: ['authorizing' as const, 'capturing' as const] } }
    return oneOf(await system.db.hold.findMany({ where, select: { goalId: true } }), random)?.goalId
  })
  return goalId !== null && plant(run, goalId, { goalId })
}

/** The same with a channel. Its payer adds one unit at the contract, so that there is an event. */
export async function refuseBookingOfChannel(run: RunContext): Promise<boolean> {
  const { system, channels, random } = run
  const channelId = await pollUntil(momentMs, async () => {
    const open = channels.filter((one) => !one.isOwn).map((one) => one.id as string)
    const where = { id: { in: open }, state: 'open' as const, withdrawableAt: null }
    return oneOf(await system.db.channel.findMany({ where, select: { id: true } }), random)?.id
  })
  const channel = channels.find((one) => one.id === channelId)
  if (channelId === null || !channel) return false
  return plant(run, channelId, { channelId }, () => topUpAtContract(run.environment, run.channelMarket, channel))
}

type Where = { readonly goalId: string } | { readonly channelId: string }

async function plant(run: RunContext, subject: string, where: Where, cause = async () => true): Promise<boolean> {
  const { system, chain, progress, planted, violations } = run
  const { db } = system
  const release = await chain.hold()
  progress.concern(subject)
  try {
    await retryUntilDone(() => db.$executeRaw`insert into planted_refusal values (${subject}) on conflict do nothing`)
    await cause()
    const letter = await pollUntil(foundMs, () => db.chainDeadLetter.findFirst({ where: { ...where, state: 'open' } }))
    if (letter) {
      planted.add(subject)
      violations.push(...(await watchFrozen(run, where)))
    }
    await retryUntilDone(() => db.$executeRaw`delete from planted_refusal where "subject" = ${subject}`)
    // An event may have arrived at the last moment.
    await pause(500)
    if ((await db.chainDeadLetter.count({ where: { ...where, state: 'open' } })) > 0) planted.add(subject)
    await mend(run, where)
    return letter !== null
  } finally {
    release()
  }
}

/** No new call is sent for a frozen subject, and the log is still read. */
async function watchFrozen({ system }: RunContext, where: Where): Promise<string[]> {
  const { chainId } = system.market
  const cursor = () => retryUntilDone(async () => (await system.db.chainCursor.findUniqueOrThrow({ where: { chainId } })).block)
  const asked = () => retryUntilDone(() => system.db.chainTransaction.count({ where }))
  // An earlier round has ended.
  await pause(1_000)
  const before = { block: await cursor(), asked: await asked() }
  await pause(frozenMs)
  const name = Object.values(where).join('')
  const moved = await pollUntil(60_000, async () => (await cursor()) > before.block)
  return [
    ...(moved === null ? [`the log was not read on beyond the dead letter of ${name}`] : []),
    ...((await asked()) > before.asked ? [`the chain was asked for ${name}, which is frozen`] : []),
  ]
}

/** As an operator: books everything that waits for the subject. */
async function mend({ system, violations }: RunContext, where: Where): Promise<void> {
  const name = Object.values(where).join('')
  const done = await pollUntil(10_000, async () => {
    const [letter] = (await listChainDeadLetters(system)).filter((one) =>
      'goalId' in where ? one.goalId === where.goalId : one.channelId === where.channelId,
    )
    if (!letter) return true
    await retryChainDeadLetter(system, { id: letter.id })
    return false
  })
  if (done === null) violations.push(`the dead letters of ${name} were not booked by an operator`)
}
