/** Rules with one fault each, so that every property can be seen to fail. */
import { advanceRoom, advanceTree, type Room, type RoomTree } from '@parley/protocol'
import type { Advance } from './explore.ts'
import type { Property } from './properties.ts'

const put = (tree: RoomTree, roomId: string, change: (room: Room) => Room): ReturnType<Advance> => {
  const node = tree[roomId]
  return node ? { ok: true, tree: { ...tree, [roomId]: { ...node, room: change(node.room) } } } : { ok: false, why: 'state' }
}

/** Fault by the property that it breaks. */
export const faulty: { readonly [property in Property]: Advance } = {
  // Nothing ends while a room is paused: it waits for ever.
  'no deadlock': (tree, move, depth) => {
    const node = tree[move.roomId]
    if (move.type === 'in' && node?.room.state === 'paused' && ['end', 'give_up', 'assign'].includes(move.move.type))
      return { ok: false, why: 'state' }
    return advanceTree(tree, move, depth)
  },
  // Giving up forgets the rooms below.
  'no lost task': (tree, move, depth) => {
    const made = advanceTree(tree, move, depth)
    if (!made.ok || move.type !== 'in' || move.move.type !== 'give_up') return made
    return put(tree, move.roomId, () => made.tree[move.roomId]?.room as Room)
  },
  'no conclusion with an open blocking task': (tree, move, depth) =>
    move.type === 'in' && move.move.type === 'conclude' && tree[move.roomId]?.room.state === 'waiting'
      ? put(tree, move.roomId, (room) => ({ ...room, state: 'concluded', turn: null }))
      : advanceTree(tree, move, depth),
  'no paid step without completion': (tree, move, depth) => {
    const { move: inner } = move.type === 'in' ? move : { move: null }
    const task = inner?.type === 'pay' ? tree[move.roomId]?.room.tasks[inner.task] : undefined
    return inner?.type === 'pay' && task?.status === 'open'
      ? put(tree, move.roomId, (room) => ({ ...room, tasks: { ...room.tasks, [inner.task]: { ...task, paid: true } } }))
      : advanceTree(tree, move, depth)
  },
  'one turn, never lost': (tree, move, depth) => {
    const made = advanceTree(tree, move, depth)
    return made.ok && move.type === 'in' && move.move.type === 'expire_turn'
      ? put(made.tree, move.roomId, (room) => ({ ...room, turn: null }))
      : made
  },
  'no circle of hirers': (tree, move, depth) => {
    const made = advanceTree(tree, move, depth)
    const node = tree[move.roomId]
    if (made.ok || made.why !== 'cycle' || !node) return made
    if (move.type === 'nest') {
      const { roomId, task, into, by } = move
      const room = tree[roomId]?.room as Room
      return { ok: true, tree: { ...tree, [into]: { room: { ...room, lead: by, client: by, tasks: {} }, parent: { roomId, task } } } }
    }
    const step = advanceRoom(node.room, move.move)
    return step.ok ? put(tree, move.roomId, () => step.room) : step
  },
}
