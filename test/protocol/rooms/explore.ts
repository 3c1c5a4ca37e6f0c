/**
 * Every schedule of a small market, breadth first: agents, tasks, rooms in rooms, crashes, brakes. What is the same but for
 * the names of agents and tasks is looked at once. The rules are the protocol's own; `advance` can be another one, so that
 * a test can plant a fault and see it found.
 */
import { advanceTree, type RoomTree, startRoom, type TreeMove, type TreeStep } from '@parley/protocol'
import { createNaming } from './canonical-world-names.ts'
import { faultOf, type Property } from './properties.ts'

export type Profile = {
  readonly agents: number
  readonly tasks: number
  /** How many rooms below the first. */
  readonly depth: number
  /** Whether turns are looked at too. They decide about nothing but who may pause, so that large worlds leave them out. */
  readonly turns: boolean
  /** How many agents may be gone permanently. */
  readonly crashes: number
  readonly brakes: boolean
  /** Whether work is accepted, returned and paid. */
  readonly money: boolean
}
export type Advance = (tree: RoomTree, move: TreeMove, maxDepth: number) => TreeStep
export type Fault = { readonly property: Property; readonly what: string; readonly path: readonly TreeMove[] }
export type Report = {
  readonly states: number
  readonly steps: number
  readonly ends: number
  readonly faults: readonly Fault[]
  readonly cut: boolean
}

export const client = 'x'
export const firstRoom = 'r'
export const names = ['a', 'b', 'c', 'd', 'e', 'f']
const later = Number.POSITIVE_INFINITY

export function startTree(profile: Pick<Profile, 'agents'>): RoomTree {
  const [lead = 'a', ...members] = names.slice(0, profile.agents)
  return { [firstRoom]: { room: startRoom({ lead, client, members, at: 0 }), parent: null } }
}

export const tasksIn = (tree: RoomTree): number => Object.values(tree).reduce((sum, { room }) => sum + Object.keys(room.tasks).length, 0)

/** All that anyone may try now. Refused ones are among them: refusing is the rules' matter. */
export function movesOf(tree: RoomTree, profile: Profile): TreeMove[] {
  const moves: TreeMove[] = []
  const used = tasksIn(tree)
  const agents = names.slice(0, profile.agents)
  const gone = agents.filter((who) => !tree[firstRoom]?.room.members.includes(who))
  for (const [roomId, { room, parent }] of Object.entries(tree)) {
    if (room.state === 'closed' && parent) continue
    const add = (move: Extract<TreeMove, { type: 'in' }>['move']) => moves.push({ type: 'in', roomId, move })
    const open = Object.keys(room.tasks).filter((id) => room.tasks[id]?.status === 'open')
    for (const id of open) {
      add({ type: 'end', task: id, as: 'completed', at: 0 })
      add({ type: 'end', task: id, as: 'failed', at: 0 })
      const by = room.tasks[id]?.assignee ?? ''
      if (!gone.includes(by)) moves.push({ type: 'nest', roomId, task: id, into: `${roomId}.${id}`, by, at: 0 })
    }
    for (const [id, task] of Object.entries(room.tasks)) {
      if (task.status !== 'completed') continue
      if (!profile.money) continue
      if (room.state === 'concluded' && !parent) {
        if (!task.accepted) add({ type: 'accept', task: id, at: 0 })
        add({ type: 'return', by: client, tasks: [id], at: 0 })
      }
      add({ type: 'pay', task: id, at: 0 })
    }
    // Work that is out may be paid by no one: the rules must refuse it.
    for (const id of open) add({ type: 'pay', task: id, at: 0 })
    if (used < profile.tasks)
      for (const to of agents) {
        if (gone.includes(to) || (to === room.lead && !parent)) continue
        for (const mode of ['sync', 'async'] as const) add({ type: 'assign', by: room.lead, task: `t${used}`, to, mode, at: 0 })
      }
    const pausable = open.filter((id) => room.tasks[id]?.mode === 'async')
    for (const id of pausable) add({ type: 'pause', by: room.lead, triggers: [id], at: 0 })
    if (pausable.length > 1) add({ type: 'pause', by: room.lead, triggers: pausable, at: 0 })
    add({ type: 'conclude', by: room.lead, at: 0 })
    add({ type: 'give_up', by: room.lead, at: 0 })
    add({ type: 'follow_up', by: room.client, at: 0 })
    add({ type: 'cancel', at: 0 })
    if (profile.brakes) {
      add({ type: 'halt', why: 'Enough.', at: 0 })
      add({ type: 'resume', by: room.client, at: 0 })
    }
    if (profile.crashes > gone.length && !parent) for (const who of room.members.slice(1)) add({ type: 'leave', who, at: 0 })
    if (!profile.turns) continue
    add({ type: 'expire_turn', at: later })
    for (const by of room.turn ? [room.turn.holder] : room.members) {
      if (pausable.length > 0) add({ type: 'pause', by, triggers: pausable, at: 0 })
      add({ type: 'post', by, at: 0 })
      for (const next of room.members)
        if (next !== by) {
          add({ type: 'post', by, next: [next], at: 0 })
          add({ type: 'post', by, next: [next, ...room.members.filter((one) => one !== by && one !== next).slice(0, 1)], at: 0 })
        }
    }
  }
  return moves
}

/** A sub-room takes in whom it hires, and who is gone is gone everywhere. */
export function step(advance: Advance, tree: RoomTree, move: TreeMove, depth: number): TreeStep {
  if (move.type === 'in' && move.move.type === 'assign' && !tree[move.roomId]?.room.members.includes(move.move.to)) {
    const joined = advance(tree, { type: 'in', roomId: move.roomId, move: { type: 'join', who: move.move.to, at: 0 } }, depth)
    return joined.ok ? advance(joined.tree, move, depth) : joined
  }
  const made = advance(tree, move, depth)
  if (!made.ok || move.type !== 'in' || move.move.type !== 'leave') return made
  const { who } = move.move
  let now = made.tree
  for (const [roomId, { room }] of Object.entries(made.tree)) {
    if (room.state === 'closed' || !room.members.includes(who)) continue
    // A leader that is gone can't lead: the task its room is for has failed with it, and the room was closed.
    const left = room.lead === who ? null : advance(now, { type: 'in', roomId, move: { type: 'leave', who, at: 0 } }, depth)
    if (left?.ok) now = left.tree
  }
  return { ok: true, tree: now }
}

export function explore(profile: Profile, options: { advance?: Advance; max?: number; nameOf?: (tree: RoomTree) => string } = {}): Report {
  const { advance = advanceTree, max = 5_000_000, nameOf = createNaming(profile) } = options
  const start = startTree(profile)
  const seen = new Map<string, number>([[nameOf(start), 0]])
  const trees: (RoomTree | null)[] = [start]
  const cameBy: (readonly [number, TreeMove] | null)[] = [null]
  /** Edges that need no one to cancel, backwards: from where each state can be reached. */
  const from: number[][] = [[]]
  const ends: number[] = []
  const faults: Fault[] = []
  let steps = 0
  const pathTo = (index: number): TreeMove[] => {
    const path: TreeMove[] = []
    for (let at = cameBy[index]; at; at = cameBy[at[0]]) path.unshift(at[1])
    return path
  }
  for (let index = 0; index < trees.length && index < max && faults.length === 0; index++) {
    const tree = trees[index]
    if (!tree) continue
    trees[index] = null
    if (isEnd(tree)) ends.push(index)
    for (const move of movesOf(tree, profile)) {
      const made = step(advance, tree, move, profile.depth)
      if (!made.ok) continue
      steps++
      const fault = faultOf(tree, move, made.tree)
      if (fault) faults.push({ ...fault, path: [...pathTo(index), move] })
      const name = nameOf(made.tree)
      let at = seen.get(name)
      if (at === undefined) {
        at = trees.length
        seen.set(name, at)
        trees.push(made.tree)
        cameBy.push([index, move])
        from.push([])
      }
      if (!(move.type === 'in' && (move.move.type === 'cancel' || move.move.type === 'leave'))) from[at]?.push(index)
    }
  }
  const cut = faults.length === 0 && trees.length > max
  if (!cut && faults.length === 0)
    faults.push(
      ...stuck(from, ends)
        .slice(0, 1)
        .map((index) => ({ property: 'no deadlock' as const, what: 'no way to an end from here', path: pathTo(index) })),
    )
  return { states: seen.size, steps, ends: ends.length, faults, cut }
}

/** The first room is over, and nothing is out any more. */
function isEnd(tree: RoomTree): boolean {
  const state = tree[firstRoom]?.room.state
  return (
    (state === 'concluded' || state === 'closed') &&
    Object.values(tree).every(({ room }) => Object.values(room.tasks).every((task) => task.status !== 'open'))
  )
}

/** States from which no end can be reached, unless a party cancels. */
function stuck(from: readonly (readonly number[])[], ends: readonly number[]): number[] {
  const good = new Uint8Array(from.length)
  const queue = [...ends]
  for (const end of ends) good[end] = 1
  for (let index = queue.pop(); index !== undefined; index = queue.pop())
    for (const before of from[index] ?? []) {
      if (good[before]) continue
      good[before] = 1
      queue.push(before)
    }
  return [...from.keys()].filter((index) => !good[index])
}
