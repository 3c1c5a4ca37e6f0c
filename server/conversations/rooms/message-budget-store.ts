import { type Part, type Spent, type TalkLimits, unspent } from '@parley/protocol'
import type { Context } from '../../context.ts'
import type { Statements, Step } from '../../db.ts'
import type { Talk } from './conversation-store.ts'
import type { KeptTurn, Seats } from './turn-lease.ts'

/** What the agents of a room may say, what they have said of it, and whose turn it is where turns are kept. */
export type Budget = {
  readonly groupId: string
  readonly limits: TalkLimits
  readonly spent: Spent
  readonly turn: KeptTurn | null
  /** Why the talk stands still: one sentence for the client. */
  readonly halt: string | null
  /** Null while nobody leads the room. */
  readonly seats: Seats | null
}

/** Words as a budget sees them. `next`: who is asked to speak after them. */
export type Words = {
  readonly by: 'person' | 'agent'
  readonly sender: string
  readonly parts: readonly Part[]
  readonly next: readonly string[]
}

/** Sets what the agents of a room may say, when the room is opened: a room that was opened without never gets any. */
export async function limitTalk(tx: Context, groupId: string, talk: TalkLimits | undefined): Promise<void> {
  if (!talk) return
  await tx.db.talkBudget.create({ data: { groupId, limits: { ...talk } as never, spent: { ...unspent } as never } })
}

/** What the agents of a room may say; undefined where nothing bounds it. */
export async function talkLimitsOf(tx: Context, groupId: string): Promise<TalkLimits | undefined> {
  const row = await tx.db.talkBudget.findUnique({ where: { groupId }, select: { limits: true } })
  return row ? (row.limits as TalkLimits) : undefined
}

type Row = Omit<Budget, 'seats'> & { readonly lead: string | null; readonly members: readonly string[] }

const readText = `
  select b."groupId", b."limits", b."spent", b."turn", b."halt",
    (select m."memberId" from "membership" m where m."groupId" = b."groupId" and m."role" = 'principal' and m."leftAt" is null limit 1) as "lead",
    array(select m."memberId" from "membership" m where m."groupId" = b."groupId" and m."role" = 'member' and m."leftAt" is null) as "members"
  from "talk_budget" b where b."groupId" = any($1::text[])`

/**
 * The budgets of rooms whose conversations this transaction has locked, as they stand with the last message: whoever waited
 * for the lock reads them only now, so that of two who speak at one moment the second hears what the first has done.
 */
export async function readBudgets(lane: Statements, talks: ReadonlyMap<string, Talk>): Promise<Map<string, Budget>> {
  const bounded = [...talks].filter(([, talk]) => talk.isBounded).map(([groupId]) => groupId)
  const rows = bounded.length === 0 ? [] : await lane.query<Row>('read-budgets', readText, [bounded])
  return new Map(
    rows.map(({ lead, members, ...budget }) => {
      const client = talks.get(budget.groupId)?.clientId
      return [budget.groupId, { ...budget, seats: lead !== null && client ? { lead, client, members } : null }]
    }),
  )
}

const saveText = `
  update "talk_budget" b set "spent" = r."spent", "turn" = r."turn", "halt" = r."halt"
  from jsonb_to_recordset($1::jsonb) as r("groupId" text, "spent" jsonb, "turn" jsonb, "halt" text) where b."groupId" = r."groupId"`

export function saveBudgetsStep(budgets: readonly Budget[]): Step {
  const rows = budgets.map(({ groupId, spent, turn, halt }) => ({ groupId, spent, turn, halt }))
  return { name: 'save-budgets', text: saveText, values: [JSON.stringify(rows)] }
}
