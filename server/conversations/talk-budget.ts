import {
  type Brakes,
  brakeOn,
  type Envelope,
  fingerprint,
  type Limits,
  noLimits,
  type Part,
  type Spent,
  spend,
  type TalkLimits,
  unspent,
} from '@parley/protocol'
import type { Context } from '../context.ts'
import { inTransaction, Prisma } from '../db.ts'
import { announce } from './announce.ts'
import { talkHalted } from './errors.ts'
import { type KeptTurn, requireTurn, roomOfTurns, seatsOf, turnAfter } from './kept-turns.ts'

/** Rooms without limits, which stay without: most talk asks the database nothing here. The one asked longest ago goes first. */
const maxFree = 50_000
const freeOf = new WeakMap<Context['ports'], Set<string>>()

/** Sets what the agents of a room may say, when the room is opened. */
export async function limitTalk(tx: Context, groupId: string, talk: TalkLimits | undefined): Promise<void> {
  if (!talk) return
  await tx.db.talkBudget.create({ data: { groupId, limits: { ...talk } as never, spent: { ...unspent } as never } })
}

/** What the agents of a room may say; undefined where nothing bounds it. */
export async function talkLimitsOf(tx: Context, groupId: string): Promise<TalkLimits | undefined> {
  const row = await tx.db.talkBudget.findUnique({ where: { groupId }, select: { limits: true } })
  return row ? (row.limits as TalkLimits) : undefined
}

/**
 * Whether the room has limits at all; who talks in one that was halted, or out of turn, is
 * refused, except its client. `id`: of the message, where its sender has given it one. @throws group.halted, group.turn_taken
 */
export function requireTalk(ctx: Context, groupId: string, id?: string): boolean | Promise<boolean> {
  const free = freeOf.get(ctx.ports) ?? new Set<string>()
  freeOf.set(ctx.ports, free)
  return free.has(groupId) ? false : askTalk(ctx, groupId, free, id)
}

async function askTalk(ctx: Context, groupId: string, free: Set<string>, id: string | undefined): Promise<boolean> {
  const row = await ctx.db.talkBudget.findUnique({ where: { groupId }, select: { halt: true, limits: true, turn: true } })
  if (!row) {
    free.add(groupId)
    for (const oldest of free) {
      if (free.size <= maxFree) break
      free.delete(oldest)
    }
    return false
  }
  if (ctx.actor.kind !== 'agent') return true
  if (row.halt === null) {
    await requireTurn(ctx, { groupId, limits: row.limits as TalkLimits, kept: row.turn as KeptTurn | null, by: ctx.actor.did, id })
    return true
  }
  // Whoever is not in the room is refused for that, and learns nothing of what happens there.
  const isMember = await ctx.db.membership.count({ where: { groupId, memberId: ctx.actor.did, leftAt: null } })
  if (isMember > 0) throw talkHalted(groupId, row.halt)
  return true
}

/**
 * Counts what was said. With the message that reaches a limit the talk halts, and the room hears why in one sentence; the
 * client's next word lets it go on.
 */
export async function countTalk(ctx: Context, said: { groupId: string; parts: Part[]; next: readonly string[] }): Promise<void> {
  const { groupId } = said
  const { actor } = ctx
  await inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "talk_budget" where "groupId" = ${groupId} for update`
    const row = await tx.db.talkBudget.findUnique({ where: { groupId } })
    if (!row) return
    if (actor.kind === 'person') {
      const client = await tx.db.membership.findFirst({ where: { groupId, role: 'client' }, select: { memberId: true } })
      if (row.halt === null || client?.memberId !== actor.did) return
      await tx.db.talkBudget.update({ where: { groupId }, data: { halt: null, spent: { ...unspent } as never, turn: Prisma.DbNull } })
      await announce(tx, { groupId, kind: 'talk.released', data: {}, text: 'The client lets the agents go on.' })
      return
    }
    if (actor.kind !== 'agent') return
    const spent = spend(row.spent as unknown as Spent, actor.did, costOf(said.parts))
    const limits = row.limits as TalkLimits
    const passed = limits.keep_turns
      ? await passTurn(tx, { groupId, limits, kept: row.turn as KeptTurn | null, next: said.next, by: actor.did })
      : null
    const halt = row.halt ?? brakeOn(spent, actor.did, limitsOf(limits)) ?? passed?.halt ?? null
    const turn = passed ? { turn: passed.kept as never } : {}
    await tx.db.talkBudget.update({ where: { groupId }, data: { halt, spent: { ...spent } as never, ...turn } })
    if (halt !== null && row.halt === null)
      await announce(tx, { groupId, kind: 'talk.halted', data: { reason: halt }, text: `${halt} They wait for the client's word.` })
  })
}

type Passing = { groupId: string; limits: TalkLimits; kept: KeptTurn | null; by: string; next: readonly string[] }

/** Hands the turn on; null where nobody leads the room yet. */
async function passTurn(tx: Context, { groupId, limits, kept, by, next }: Passing): Promise<ReturnType<typeof turnAfter> | null> {
  const seats = await seatsOf(tx, groupId)
  if (!seats) return null
  const at = tx.clock.now().getTime()
  return turnAfter(roomOfTurns(kept, seats, at), { by, next, at }, limits.max_turns ?? null)
}

function limitsOf(talk: TalkLimits): Limits {
  const {
    max_messages: messages = null,
    max_messages_each: messagesEach = null,
    max_bytes: bytes = null,
    max_bytes_each: bytesEach = null,
    max_repeats: repeats = null,
  } = talk
  return { ...noLimits, messages, messagesEach, bytes, bytesEach, repeats }
}

/** What a message costs its room: the bytes of its parts, and the mark by which a repetition is known. */
export function costOf(parts: Envelope['parts']): Brakes {
  const words = parts.flatMap((part) => part.text ?? []).join(' ')
  return { bytes: new TextEncoder().encode(JSON.stringify(parts)).length, print: fingerprint(words) }
}
