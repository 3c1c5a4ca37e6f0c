/**
 * What may follow, found once for each look of a room and not once for each world. Steps in one room touch no room beside or
 * above it, so that those of independent rooms commute: the steps of a room below are found once for all states of the rooms beside it,
 * and a room sees of a room below only whether it is at work, concluded or closed. All steps are made by the protocol's own
 * rules, on rooms drawn for the purpose, and each is asked for the properties there.
 */
import type { RoomState, RoomTree, TreeMove } from '@parley/protocol'
import { type Advance, movesOf, type Profile, step } from './explore.ts'
import { type Above, aboves, type Term, type Terms } from './interned-room-states.ts'
import { faultOf, type Property } from './properties.ts'

export type Broken = { readonly property: Property; readonly what: string }
/** `added`: one more task; `isCancel`: a party cancels, which no way to an end may need. */
export type Follow = (state: RoomState, tasks: number[], added: number, isCancel: boolean) => void

const keep = 0
const close = 1
const nest = 2
const pay = 3
type Sketched = {
  readonly state: RoomState
  /** The tasks' heads and what becomes of the rooms below them, by their place. */
  readonly heads: readonly number[]
  readonly below: readonly number[]
  /** The head of a task that comes to it; -1 without one. */
  readonly added: number
  /** The only task that it is about; -1 where it is about all. */
  readonly one: number
  readonly isCancel: boolean
}
type Inside = { readonly room: number; readonly added: number; readonly isCancel: boolean }

export function createFactored(terms: Terms, profile: Profile, advance: Advance) {
  const { head, child, sketch, rooms } = terms
  const limitless = { ...profile, tasks: Number.POSITIVE_INFINITY }
  const sketched = new Map<string, readonly Sketched[]>()
  const insides: (readonly Inside[] | undefined)[] = []
  const closed = new Map<number, number>()
  const paid = new Map<number, number>()
  const faults: Broken[] = []

  const made = (tree: RoomTree, move: TreeMove): RoomTree | null => {
    const done = step(advance, tree, move, profile.depth)
    const fault = done.ok && faultOf(tree, move, done.tree)
    if (fault) faults.push(fault)
    return done.ok ? done.tree : null
  }

  /** The moves in a room of this look itself. */
  function sketchedMoves(state: RoomState, tasks: readonly number[], depth: number, above: Above): readonly Sketched[] {
    let key = `${state}${depth}${above}`
    for (const id of tasks) key += `,${sketch[id]}`
    const known = sketched.get(key)
    if (known) return known
    const { tree, roomId } = terms.draw({ state, tasks }, depth, above, true)
    const found: Sketched[] = []
    for (const move of movesOf(tree, limitless)) {
      const after = move.roomId === roomId ? made(tree, move) : null
      if (!after) continue
      const room = after[roomId]?.room
      if (!room) continue
      const below = tasks.map((_, at) => {
        const sub = `${roomId}.t${at}`
        if (!tree[sub]) return after[sub] ? nest : keep
        if (room.tasks[`t${at}`]?.paid && !tree[roomId]?.room.tasks[`t${at}`]?.paid) return pay
        return after[sub]?.room.state === 'closed' && tree[sub].room.state !== 'closed' ? close : keep
      })
      const ids = Object.keys(room.tasks)
      found.push({
        state: room.state,
        heads: tasks.map((_, at) => terms.headOf(room, `t${at}`)),
        below,
        added: ids.length > tasks.length ? terms.headOf(room, ids.at(-1) as string) : -1,
        one: oneOf(move),
        isCancel: move.type === 'in' && move.move.type === 'cancel',
      })
    }
    sketched.set(key, found)
    return found
  }

  /** What a room becomes when the task it is for ends without being completed. */
  function closing(room: number, depth: number): number {
    return lasting(closed, room, depth, () => {
      const { tree, roomId } = terms.draw(rooms[room] as Term, depth, 'open')
      const parent = tree[roomId]?.parent as { roomId: string; task: string }
      const after = made(tree, { type: 'in', roomId: parent.roomId, move: { type: 'end', task: parent.task, as: 'failed', at: 0 } })
      return after ? terms.read(after, roomId) : room
    })
  }

  /** What a room becomes when the step that it is for is paid. */
  function paying(room: number, depth: number): number {
    return lasting(paid, room, depth, () => {
      const { tree, roomId } = terms.draw(rooms[room] as Term, depth, 'done')
      const parent = tree[roomId]?.parent as { roomId: string; task: string }
      const after = made(tree, { type: 'in', roomId: parent.roomId, move: { type: 'pay', task: parent.task, at: 0 } })
      return after ? terms.read(after, roomId) : room
    })
  }

  /** The steps within a room below, each once. */
  function inside(room: number, depth: number, above: Above): readonly Inside[] {
    const at = (room * 4 + depth) * 3 + aboves.indexOf(above)
    const known = insides[at]
    if (known) return known
    const found = new Map<string, Inside>()
    const { state, tasks } = rooms[room] as Term
    follow(state, tasks, depth, above, true, (then, after, added, isCancel) => {
      const next = terms.room(then, after)
      found.set(`${next} ${added} ${isCancel}`, { room: next, added, isCancel })
    })
    const list = [...found.values()]
    insides[at] = list
    return list
  }

  /** Every step from a room on: its own, and those in the rooms below it. `hasMore`: whether another task may be given out. */
  function follow(state: RoomState, tasks: readonly number[], depth: number, above: Above, hasMore: boolean, to: Follow): void {
    for (const move of sketchedMoves(state, tasks, depth, above)) {
      if (move.added >= 0 && !hasMore) continue
      // The same is done to one of several that are the same.
      if (move.one > 0 && tasks[move.one] === tasks[move.one - 1]) continue
      const next: number[] = []
      for (let at = 0; at < tasks.length; at++) {
        const id = tasks[at] as number
        const code = move.heads[at] as number
        const fate = move.below[at] as number
        if (code === head[id] && fate === keep) next.push(id)
        else {
          const was = child[id] as number
          const below =
            fate === nest
              ? (terms.empty[0] as number)
              : fate === close
                ? closing(was, depth + 1)
                : fate === pay
                  ? paying(was, depth + 1)
                  : was
          const changed = terms.task(code, below)
          if (changed >= 0) next.push(changed)
        }
      }
      if (move.added >= 0) next.push(terms.task(move.added, -1))
      to(move.state, terms.inOrder(next), move.added >= 0 ? 1 : 0, move.isCancel)
    }
    for (let at = 0; at < tasks.length; at++) {
      const id = tasks[at] as number
      const below = child[id] as number
      if (below < 0 || id === tasks[at - 1]) continue
      const code = head[id] as number
      for (const step of inside(below, depth + 1, terms.aboveOf(code))) {
        if (step.added > 0 && !hasMore) continue
        const changed = terms.task(code, step.room)
        const next = tasks.slice()
        if (changed >= 0) next[at] = changed
        else next.splice(at, 1)
        to(state, terms.inOrder(next), step.added, step.isCancel)
      }
    }
  }

  return { follow, faults }
}

function lasting(memory: Map<number, number>, room: number, depth: number, find: () => number): number {
  const key = room * 4 + depth
  const known = memory.get(key)
  if (known !== undefined) return known
  const found = find()
  memory.set(key, found)
  return found
}

/** The place of the one task that a move is about. */
function oneOf(move: TreeMove): number {
  if (move.type === 'nest') return Number(move.task.slice(1))
  const { move: inner } = move
  if (inner.type === 'end' || inner.type === 'accept' || inner.type === 'pay') return Number(inner.task.slice(1))
  const named = inner.type === 'return' ? inner.tasks : inner.type === 'pause' ? inner.triggers : []
  return named.length === 1 ? Number(named[0]?.slice(1)) : -1
}
