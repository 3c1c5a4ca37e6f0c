import { type MessageLimits, nothingSpent, type Part, type SpentBudget } from '@parley/protocol'
import type { Context } from '../../context.ts'
import type { PipelinedStatement, Statements } from '../../db.ts'
import type { RoomRow } from './conversation-store.ts'
import type { TurnHolders, TurnLease } from './turn-lease.ts'

/** The message quota of a room's agents: the limits, what is spent, and the turn lease if the room keeps turns. */
export type MessageBudget = {
  readonly roomId: string
  readonly limits: MessageLimits
  readonly spent: SpentBudget
  readonly turn: TurnLease | null
  /** Why the room is halted: one sentence for the client. */
  readonly haltReason: string | null
  /** Null while the room has no lead. */
  readonly seats: TurnHolders | null
}

/** What a budget needs to know of a message. `next`: who is asked to speak afterwards. */
export type PostContent = {
  readonly by: 'person' | 'agent'
  readonly sender: string
  readonly parts: readonly Part[]
  readonly next: readonly string[]
}

/** Sets the message limits when the room is opened. A room opened without limits never gets any. */
export async function createMessageBudget(tx: Context, roomId: string, limits: MessageLimits | undefined): Promise<void> {
  if (!limits) return
  await tx.db.messageBudget.create({ data: { roomId, limits: { ...limits } as never, spent: { ...nothingSpent } as never } })
}

/** The message limits of a room; undefined if it has none. */
export async function findMessageLimits(tx: Context, roomId: string): Promise<MessageLimits | undefined> {
  const row = await tx.db.messageBudget.findUnique({ where: { roomId }, select: { limits: true } })
  return row ? (row.limits as MessageLimits) : undefined
}

type Row = Omit<MessageBudget, 'seats'> & { readonly lead: string | null; readonly members: readonly string[] }

const readText = `
  select b."roomId", b."limits", b."spent", b."turn", b."haltReason",
    (select m."memberId" from "membership" m where m."roomId" = b."roomId" and m."role" = 'principal' and m."leftAt" is null limit 1) as "lead",
    array(select m."memberId" from "membership" m where m."roomId" = b."roomId" and m."role" = 'member' and m."leftAt" is null) as "members"
  from "message_budget" b where b."roomId" = any($1::text[])`

/** Reads the budgets of rooms that this transaction has locked. The read follows the lock, so that it includes the previous message. */
export async function readBudgets(lane: Statements, rooms: ReadonlyMap<string, RoomRow>): Promise<Map<string, MessageBudget>> {
  const bounded = [...rooms].filter(([, room]) => room.isBounded).map(([roomId]) => roomId)
  const rows = bounded.length === 0 ? [] : await lane.query<Row>('read-budgets', readText, [bounded])
  return new Map(
    rows.map(({ lead, members, ...budget }) => {
      const client = rooms.get(budget.roomId)?.clientId
      return [budget.roomId, { ...budget, seats: lead !== null && client ? { lead, client, members } : null }]
    }),
  )
}

const saveText = `
  update "message_budget" b set "spent" = r."spent", "turn" = r."turn", "haltReason" = r."haltReason"
  from jsonb_to_recordset($1::jsonb) as r("roomId" text, "spent" jsonb, "turn" jsonb, "haltReason" text) where b."roomId" = r."roomId"`

export function saveBudgetsStep(budgets: readonly MessageBudget[]): PipelinedStatement {
  const rows = budgets.map(({ roomId, spent, turn, haltReason }) => ({ roomId, spent, turn, haltReason }))
  return { name: 'save-budgets', text: saveText, values: [JSON.stringify(rows)] }
}
