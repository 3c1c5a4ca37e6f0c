/**
 * Nested rooms: the assignee of a task can lead a sub-team for it. Pure. A result goes up through its task, and the end of a task ends
 * the rooms below it. @see SPEC.md#rooms
 */
import { advanceRoom, type Room, type RoomMove, type RoomRefusal, startRoom } from './room.ts'

/** A room in the tree. `parent`: the room and the task for which it was opened; null for the goal's own room. */
export type RoomNode = { readonly room: Room; readonly parent: { readonly roomId: string; readonly task: string } | null }
/** All rooms of one goal, by room id. */
export type RoomTree = { readonly [roomId: string]: RoomNode }
/** A move in the tree: open a room for a task (`nest`), or a move inside one room (`in`). `at`: Unix milliseconds. */
export type TreeMove =
  | {
      readonly type: 'nest'
      readonly roomId: string
      readonly task: string
      readonly into: string
      readonly by: string
      readonly at: number
    }
  | { readonly type: 'in'; readonly roomId: string; readonly move: RoomMove }
/** Why a move of the tree has no effect. `depth`: nested too deep. `cycle`: it leads a room above. `nested`: the task has a room. */
export type TreeRefusal = RoomRefusal | 'depth' | 'cycle' | 'nested'
/** The outcome of a move: the next tree, or the refusal. */
export type TreeStep = { readonly ok: true; readonly tree: RoomTree } | { readonly ok: false; readonly why: TreeRefusal }

/** The maximum depth of nested rooms below the first one. */
export const maxRoomDepth = 4

/** The rooms from this one up to the first. */
export function roomsAbove(tree: RoomTree, roomId: string): RoomNode[] {
  const above: RoomNode[] = []
  for (let node = tree[roomId]; node; node = node.parent ? tree[node.parent.roomId] : undefined) above.push(node)
  return above
}

const isOver = (room: Room): boolean => room.state === 'concluded' || room.state === 'closed'
const below = (tree: RoomTree, roomId: string, task: string): string[] =>
  Object.keys(tree).filter((id) => tree[id]?.parent?.roomId === roomId && tree[id]?.parent?.task === task)

/** The rooms after a move in one of them, or why it has no effect. */
export function advanceTree(tree: RoomTree, move: TreeMove, maxDepth: number = maxRoomDepth): TreeStep {
  const node = tree[move.roomId]
  if (!node) return { ok: false, why: 'state' }
  if (move.type === 'nest') return nest(tree, move, maxDepth)
  const why = refusal(tree, move.roomId, move.move)
  if (why) return { ok: false, why }
  const step = advanceRoom(node.room, move.move)
  if (!step.ok) return step
  const moved = { ...tree, [move.roomId]: { ...node, room: step.room } }
  return {
    ok: true,
    tree: move.move.type === 'pay' ? payBelow(moved, move.roomId, move.move) : closeBelow(moved, move.roomId, move.move.at),
  }
}

function nest(tree: RoomTree, move: Extract<TreeMove, { type: 'nest' }>, maxDepth: number): TreeStep {
  const { roomId, task, into, by, at } = move
  const room = tree[roomId]?.room
  const given = room?.tasks[task]
  if (!room || room.state === 'closed' || tree[into]) return { ok: false, why: 'state' }
  if (given?.status !== 'open') return { ok: false, why: 'task' }
  if (given.assignee !== by) return { ok: false, why: 'role' }
  const above = roomsAbove(tree, roomId)
  if (above.length > maxDepth) return { ok: false, why: 'depth' }
  if (above.some((one) => one.room.lead === by)) return { ok: false, why: 'cycle' }
  if (below(tree, roomId, task).length > 0) return { ok: false, why: 'nested' }
  // The lead of a sub-room is also its client: its step pays the sub-team.
  return {
    ok: true,
    tree: { ...tree, [into]: { room: startRoom({ lead: by, client: by, at, limits: room.limits }), parent: { roomId, task } } },
  }
}

function refusal(tree: RoomTree, roomId: string, move: RoomMove): TreeRefusal | null {
  if (move.type === 'assign' || move.type === 'join') {
    const who = move.type === 'assign' ? move.to : move.who
    // A hires B, and B hires A for the same work: no agent would do it.
    if (
      roomsAbove(tree, roomId)
        .slice(1)
        .some((one) => one.room.lead === who)
    )
      return 'cycle'
  }
  if (move.type === 'end' && move.as === 'completed' && below(tree, roomId, move.task).some((id) => tree[id] && !isOver(tree[id].room)))
    return 'nested'
  // A delivered result is final. More work for it is a new task above.
  const parent = tree[roomId]?.parent
  if (parent && (move.type === 'follow_up' || move.type === 'return') && tree[parent.roomId]?.room.tasks[parent.task]?.status !== 'open')
    return 'nested'
  // A sub-step is paid from its parent step, so they are paid together.
  if (move.type === 'pay' && parent) return 'nested'
  return null
}

/** Closes the rooms of tasks that ended without completion, at all depths. */
function closeBelow(tree: RoomTree, roomId: string, at: number): RoomTree {
  let now = tree
  for (const id of Object.keys(tree)) {
    const node = now[id]
    if (node?.parent?.roomId !== roomId || node.room.state === 'closed') continue
    const status = now[roomId]?.room.tasks[node.parent.task]?.status
    if (status === 'open' || status === 'completed' || status === 'returned') continue
    const step = advanceRoom(node.room, { type: 'cancel', at })
    if (step.ok) now = closeBelow({ ...now, [id]: { ...node, room: step.room } }, id, at)
  }
  return now
}

/** Pays the completed and accepted work below a paid task, in the same settlement. */
function payBelow(tree: RoomTree, roomId: string, { task, at }: { task: string; at: number }): RoomTree {
  let now = tree
  for (const id of below(tree, roomId, task)) {
    for (const sub of Object.keys(now[id]?.room.tasks ?? {})) {
      const node = now[id]
      // Accepting a step accepts its sub-steps.
      const accepted = node && advanceRoom(node.room, { type: 'accept', task: sub, at })
      const step = accepted?.ok ? advanceRoom(accepted.room, { type: 'pay', task: sub, at }) : undefined
      if (node && step?.ok) now = payBelow({ ...now, [id]: { ...node, room: step.room } }, id, { task: sub, at })
    }
  }
  return now
}
