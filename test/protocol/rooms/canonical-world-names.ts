/** One name for worlds that differ only in who is who, and which task is which. */
import type { Room, RoomTask, RoomTree } from '@parley/protocol'
import { firstRoom, type Profile } from './explore.ts'

/**
 * Agents get their names in the order in which they show up, tasks the order of their looks. Two worlds of one name are the
 * same; a few that are the same may get two names, which costs time and hides nothing.
 */
export function createNaming({ turns, crashes, money }: Pick<Profile, 'turns' | 'crashes' | 'money'>): (tree: RoomTree) => string {
  const seat = turns || crashes > 0
  return (tree) => {
    const names = new Map<string, string>()
    const as = (who: string) => {
      const known = names.get(who)
      if (known !== undefined) return known
      const given = String.fromCharCode(65 + names.size)
      names.set(who, given)
      return given
    }
    // Without turns and crashes it doesn't matter which of those who are not above has a task, only whether its lead has.
    return roomName(tree, firstRoom, seat ? as : masked, { turns, seat, money })
  }
}

type As = (who: string) => string
type Sight = { readonly turns: boolean; readonly seat: boolean; readonly money: boolean }
const masked: As = () => '*'

function roomName(tree: RoomTree, roomId: string, as: As, sight: Sight): string {
  const room = tree[roomId]?.room
  if (!room) return ''
  const { turn } = room
  const head = `${room.state[0]}${room.state[1]}${as(room.lead)}`
  const floor = sight.turns
    ? `${turn ? as(turn.holder) : '-'}${turn ? turn.next.map(as).join('') : ''}/${room.resume === null ? '-' : as(room.resume)}`
    : ''
  const tasks = Object.keys(room.tasks)
    .map((id) => ({ id, looks: taskName(tree, roomId, room, id, masked, sight) }))
    .sort((one, other) => (one.looks < other.looks ? -1 : one.looks > other.looks ? 1 : 0))
    .map(({ id, looks }) => (looks === '0' ? looks : as === masked ? looks : taskName(tree, roomId, room, id, as, sight)))
  if (as !== masked) tasks.sort()
  const members = !sight.seat ? '' : as === masked ? `${room.members.length}` : room.members.map(as).sort().join('')
  return `${head}${floor}:${members}(${tasks.join(',')})`
}

/** What has ended has no future, unless there is money for it, or something is still out below it. */
function taskName(tree: RoomTree, roomId: string, room: Room, id: string, as: As, sight: Sight): string {
  const task = room.tasks[id] as RoomTask
  const sub = `${roomId}.${id}`
  const isOver = task.status !== 'open' && !(task.status === 'completed' && sight.money && !task.paid)
  if (isOver && !isOutBelow(tree, sub)) return task.paid ? 'p' : '0'
  const inside = tree[sub] ? roomName(tree, sub, as, sight) : ''
  if (isOver) return `${task.paid ? 'p' : '0'}${inside}`
  if (task.status === 'completed') return `${task.accepted ? 'y' : 'd'}${inside}`
  return `${task.mode === 'sync' ? 's' : room.triggers.includes(id) ? 't' : 'a'}${as === masked ? (task.assignee === room.lead ? 'L' : '') : as(task.assignee)}${inside}`
}

function isOutBelow(tree: RoomTree, roomId: string): boolean {
  const tasks = Object.entries(tree[roomId]?.room.tasks ?? {})
  return tasks.some(([id, task]) => task.status === 'open' || isOutBelow(tree, `${roomId}.${id}`))
}
