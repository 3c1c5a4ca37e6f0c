/**
 * The state machine of a room: the turn, the open tasks, what the room waits for, and the rest of its budget. Pure, without a clock or
 * randomness. `at` is the server's time of the message in Unix milliseconds, so all readers of the same messages compute the same room.
 * `roomTable` defines the transitions. SPEC.md's table, the texts of pages and the tests are generated from it.
 * @see SPEC.md#rooms
 */
import {
  limitReached,
  type MessageCost,
  noRoomLimits,
  nothingSpent,
  type RoomLimits,
  type SpentBudget,
  spendMessage,
} from './room-limits.ts'
import { type RoomMoveType, type RoomState, roomTable } from './room-moves.ts'

/** A task as its room sees it. `assignee`: a DID. */
export type RoomTask = {
  /** `sync`: the room waits for it. `async`: the room continues. */
  readonly mode: 'sync' | 'async'
  readonly assignee: string
  readonly status: 'open' | 'completed' | 'failed' | 'returned' | 'canceled'
  readonly accepted: boolean
  readonly paid: boolean
}

/** The right to post next, on a lease. It passes on when the lease ends. */
export type HeldTurn = {
  readonly holder: string
  /** The members that get the turn afterwards. */
  readonly next: readonly string[]
  /** Unix milliseconds. */
  readonly since: number
}

/** The state of one room. Members are DIDs. */
export type Room = {
  readonly state: RoomState
  /** The lead: assigns, concludes, and gets every turn without a holder. */
  readonly lead: string
  /** The client: may post at any time. Only the client can resume a halted room. */
  readonly client: string
  readonly members: readonly string[]
  /** Members that only post messages. No task is assigned to them. */
  readonly advisers: readonly string[]
  /** null while `open`: the next member that posts takes it. */
  readonly turn: HeldTurn | null
  /** The number of turns so far. It identifies a turn, so that each is taken once. */
  readonly turns: number
  readonly tasks: { readonly [taskId: string]: RoomTask }
  /** After a pause: the tasks that must end before the room continues. */
  readonly triggers: readonly string[]
  /** The member that paused. It posts first after the last trigger. */
  readonly resume: string | null
  readonly limits: RoomLimits
  readonly spent: SpentBudget
  /** While `halted`: the reason, as one sentence. */
  readonly halt: string | null
}

/** A move of a room. `by` and `who` are DIDs, `at` is in Unix milliseconds. */
export type RoomMove =
  | { readonly type: 'join'; readonly who: string; readonly adviser?: boolean; readonly at: number }
  | { readonly type: 'leave'; readonly who: string; readonly at: number }
  | { readonly type: 'post'; readonly by: string; readonly next?: readonly string[]; readonly cost?: MessageCost; readonly at: number }
  | { readonly type: 'expire_turn'; readonly at: number }
  | {
      readonly type: 'assign'
      readonly by: string
      readonly task: string
      readonly to: string
      readonly mode: 'sync' | 'async'
      readonly at: number
    }
  | { readonly type: 'end'; readonly task: string; readonly as: 'completed' | 'failed'; readonly at: number }
  | { readonly type: 'pause'; readonly by: string; readonly triggers: readonly string[]; readonly at: number }
  | { readonly type: 'conclude'; readonly by: string; readonly at: number }
  | { readonly type: 'give_up'; readonly by: string; readonly at: number }
  | { readonly type: 'follow_up'; readonly by: string; readonly at: number }
  | { readonly type: 'return'; readonly by: string; readonly tasks: readonly string[]; readonly at: number }
  | { readonly type: 'accept'; readonly task: string; readonly at: number }
  | { readonly type: 'pay'; readonly task: string; readonly at: number }
  | { readonly type: 'halt'; readonly why: string; readonly at: number }
  | { readonly type: 'resume'; readonly by: string; readonly at: number }
  | { readonly type: 'cancel'; readonly at: number }

/** Why a move has no effect. */
export type RoomRefusal = 'state' | 'role' | 'member' | 'task' | 'early'
/** The outcome of a move: the next room, or the refusal. */
export type RoomStep = { readonly ok: true; readonly room: Room } | { readonly ok: false; readonly why: RoomRefusal }

/** How long a turn lasts without a message. */
export const turnLeaseMs = 60_000

/** A new room, in which its lead has the first turn. `at`: Unix milliseconds. Pure. */
export function startRoom(input: {
  lead: string
  client: string
  members?: readonly string[]
  limits?: Partial<RoomLimits>
  at: number
}): Room {
  const { lead, client, members = [], at } = input
  return {
    state: 'open',
    lead,
    client,
    members: [...new Set([lead, ...members])],
    advisers: [],
    turn: { holder: lead, next: [], since: at },
    turns: 1,
    tasks: {},
    triggers: [],
    resume: null,
    limits: { ...noRoomLimits, ...input.limits },
    spent: nothingSpent,
    halt: null,
  }
}

const isOpen = (room: Room, id: string): boolean => room.tasks[id]?.status === 'open'

/** Tasks that the room waits for: open `sync` tasks, and open triggers of a pause. */
export function awaitedTaskIds(room: Room): string[] {
  return Object.keys(room.tasks).filter((id) => isOpen(room, id) && (room.tasks[id]?.mode === 'sync' || room.triggers.includes(id)))
}

/** The room at `at`, without further messages: ended leases have passed their turns on. */
export function roomAt(room: Room, at: number): Room {
  let now = room
  while (now.turn && turnUntil(now.turn, now.limits) <= at) now = pass(now, now.turn.next, now.turn.holder, turnUntil(now.turn, now.limits))
  return now
}

/** Who may post at `at`. null: any member. */
export function speakerAt(room: Room, at: number): string | null {
  return roomAt(room, at).turn?.holder ?? null
}

/** When the turn passes on unless it is used, in Unix milliseconds. */
export function turnUntil(turn: HeldTurn, limits: RoomLimits): number {
  return turn.since + limits.turnMs
}

/** The room after a move, or why the move has no effect. Never throws for the input of a sender. */
export function advanceRoom(before: Room, move: RoomMove): RoomStep {
  const rule = roomTable[move.type]
  // Read through the union: a state without an entry has no transition.
  const ways: readonly RoomState[] | undefined = (rule.ways as { readonly [state in RoomState]?: readonly RoomState[] })[before.state]
  if (!ways) return { ok: false, why: 'state' }
  const room = move.type === 'expire_turn' ? before : roomAt(before, move.at)
  const made = make(room, move)
  if (typeof made === 'string') return { ok: false, why: made }
  if (!ways.includes(made.state)) throw new Error(`${move.type} led from ${before.state} to ${made.state}, which the table does not have`)
  return { ok: true, room: made }
}

/** The default: the state that follows from the open tasks. */
function settled(room: Room, at: number, speaker: string | null): Room {
  if (room.state === 'halted' || room.state === 'concluded' || room.state === 'closed') return { ...room, turn: null }
  const blockers = awaitedTaskIds(room)
  if (blockers.some((id) => room.tasks[id]?.mode === 'sync')) return { ...room, state: 'waiting', turn: null }
  if (blockers.length > 0) return { ...room, state: 'paused', turn: null }
  const opened: Room = { ...room, state: 'open', triggers: [], resume: null }
  return room.state === 'open' ? opened : handTo(opened, speaker ?? room.lead, [], at)
}

function handTo(room: Room, holder: string, next: readonly string[], at: number): Room {
  return { ...room, turn: { holder, next, since: at }, turns: room.turns + 1 }
}

/** Gives the turn to the next requested member, or to the lead. If the lead lets it go, any member can take it. */
function pass(room: Room, asked: readonly string[], from: string, at: number): Room {
  const [holder, ...next] = asked.filter((who) => room.members.includes(who))
  if (holder !== undefined) return handTo(room, holder, next, at)
  return from === room.lead ? { ...room, turn: null, turns: room.turns + 1 } : handTo(room, room.lead, [], at)
}

function withTask(room: Room, id: string, change: Partial<RoomTask>): Room {
  const task = room.tasks[id]
  return task ? { ...room, tasks: { ...room.tasks, [id]: { ...task, ...change } } } : room
}

function canceled(room: Room): Room {
  return Object.keys(room.tasks).reduce((sum, id) => (isOpen(sum, id) ? withTask(sum, id, { status: 'canceled' }) : sum), room)
}

function make(room: Room, move: RoomMove): Room | RoomRefusal {
  switch (move.type) {
    case 'join': {
      const advisers = room.advisers.filter((who) => who !== move.who)
      return { ...room, members: [...new Set([...room.members, move.who])], advisers: move.adviser ? [...advisers, move.who] : advisers }
    }
    case 'leave':
      return leave(room, move.who, move.at)
    case 'post':
      return post(room, move)
    case 'expire_turn': {
      if (!room.turn || turnUntil(room.turn, room.limits) > move.at) return 'early'
      return pass(room, room.turn.next, room.turn.holder, move.at)
    }
    case 'assign':
      return assign(room, move)
    case 'end':
      return isOpen(room, move.task) ? settled(withTask(room, move.task, { status: move.as }), move.at, room.resume) : 'task'
    case 'pause':
      return pause(room, move)
    case 'conclude':
      if (move.by !== room.lead) return 'role'
      return awaitedTaskIds(room).length > 0 ? 'task' : { ...room, state: 'concluded', turn: null, triggers: [], resume: null, halt: null }
    case 'give_up':
      if (move.by !== room.lead) return 'role'
      return { ...canceled(room), state: 'concluded', turn: null, triggers: [], resume: null, halt: null }
    case 'follow_up':
      return move.by === room.client || move.by === room.lead ? settled({ ...room, state: 'paused' }, move.at, room.lead) : 'role'
    case 'return': {
      if (move.by !== room.client) return 'role'
      const back = move.tasks.filter((id) => room.tasks[id]?.status === 'completed' && !room.tasks[id]?.accepted)
      if (back.length === 0) return 'task'
      return settled({ ...back.reduce((sum, id) => withTask(sum, id, { status: 'returned' }), room), state: 'paused' }, move.at, room.lead)
    }
    case 'accept':
      return room.tasks[move.task]?.status === 'completed' ? withTask(room, move.task, { accepted: true }) : 'task'
    case 'pay': {
      const task = room.tasks[move.task]
      const due = task?.status === 'completed' && (task.accepted || room.state === 'closed') && !task.paid
      return due ? withTask(room, move.task, { paid: true }) : 'task'
    }
    case 'halt':
      return { ...room, state: 'halted', turn: null, halt: move.why }
    case 'resume':
      if (move.by !== room.client) return 'role'
      return settled({ ...room, state: 'paused', halt: null, spent: nothingSpent }, move.at, room.lead)
    case 'cancel':
      return { ...canceled(room), state: 'closed', turn: null, triggers: [], resume: null, halt: null }
    default:
      return move satisfies never
  }
}

function assign(room: Room, { by, to, task: id, mode, at }: Extract<RoomMove, { type: 'assign' }>): Room | RoomRefusal {
  if (by !== room.lead) return 'role'
  if (!room.members.includes(to) || room.advisers.includes(to)) return 'member'
  if (Object.hasOwn(room.tasks, id)) return 'task'
  const task: RoomTask = { mode, assignee: to, status: 'open', accepted: false, paid: false }
  return settled({ ...room, tasks: { ...room.tasks, [id]: task } }, at, null)
}

function pause(room: Room, { by, triggers, at }: Extract<RoomMove, { type: 'pause' }>): Room | RoomRefusal {
  if (by !== room.lead && by !== room.turn?.holder) return 'role'
  const open = triggers.filter((id) => isOpen(room, id))
  // All triggers have ended already: there is nothing to wait for, so the turn returns at once.
  if (open.length === 0) return room.state === 'open' ? handTo(room, by, [], at) : room
  return settled({ ...room, triggers: [...new Set([...room.triggers, ...open])], resume: by }, at, null)
}

/** A member that leaves fails its open tasks and passes its turn on. The lead stays until the room is closed. */
function leave(room: Room, who: string, at: number): Room | RoomRefusal {
  if (who === room.lead) return 'role'
  if (!room.members.includes(who)) return 'member'
  const rest = room.members.filter((one) => one !== who)
  const without: Room = { ...room, members: rest, advisers: room.advisers.filter((one) => one !== who) }
  const freed = Object.entries(without.tasks).reduce(
    (sum, [id, task]) => (task.assignee === who && task.status === 'open' ? withTask(sum, id, { status: 'failed' }) : sum),
    { ...without, resume: without.resume === who ? room.lead : without.resume },
  )
  const { turn } = freed
  const turned =
    turn?.holder === who
      ? pass(freed, turn.next, who, at)
      : { ...freed, turn: turn && { ...turn, next: turn.next.filter((one) => one !== who) } }
  return settled(turned, at, turned.resume)
}

/** A message passes the turn on if its sender holds it or no member does. A message between two turns changes no turn. */
function post(room: Room, move: Extract<RoomMove, { type: 'post' }>): Room | RoomRefusal {
  const { by, at, next = [] } = move
  const isClient = by === room.client
  if (!isClient && !room.members.includes(by)) return 'member'
  if (!isClient && room.state === 'halted') return 'state'
  const counted = isClient ? room : { ...room, spent: spendMessage(room.spent, by, move.cost) }
  const why = isClient ? null : limitReached(counted.spent, by, room.limits)
  if (why !== null && room.state !== 'concluded') return { ...counted, state: 'halted', turn: null, halt: why }
  if (room.state !== 'open') return counted
  const leads = (by === room.lead || isClient) && next.length > 0
  if (room.turn?.holder !== by && room.turn !== null && !leads) return counted
  const queue = next.length > 0 ? next : (room.turn?.next ?? [])
  return pass(counted, queue, by, at)
}

/** All possible next states of this kind of move, for tables and tests. */
export function transitionsOfMove(type: RoomMoveType): readonly (readonly [RoomState, RoomState])[] {
  const ways: { readonly [state in RoomState]?: readonly RoomState[] } = roomTable[type].ways
  return Object.entries(ways).flatMap(([from, tos]) => tos.map((to) => [from as RoomState, to] as const))
}
