/** What has to hold after every step, asked of the bare facts and not of the rules that should keep them. */
import type { RoomTree, TreeMove } from '@parley/protocol'

export const properties = [
  'no deadlock',
  'no lost task',
  'no conclusion with an open blocking task',
  'no paid step without completion',
  'one turn, never lost',
  'no circle of hirers',
] as const
export type Property = (typeof properties)[number]
type Broken = { readonly property: Property; readonly what: string }

const over = (state: string | undefined) => state === 'concluded' || state === 'closed'

export function faultOf(before: RoomTree, move: TreeMove, after: RoomTree): Broken | null {
  for (const roomId of Object.keys(before)) {
    if (!after[roomId]) return { property: 'no lost task', what: `the room ${roomId} is gone` }
    for (const id of Object.keys(before[roomId]?.room.tasks ?? {}))
      if (!after[roomId].room.tasks[id]) return { property: 'no lost task', what: `${id} of ${roomId} is gone` }
  }
  for (const [roomId, { room, parent }] of Object.entries(after)) {
    const was = before[roomId]?.room
    if (room === was && parent === null) continue
    const above = parent && after[parent.roomId]?.room.tasks[parent.task]
    // A room that works on for a task no one waits for, and a task out in a room where no one can end it.
    if (parent && above?.status !== 'open' && !over(room.state))
      return { property: 'no lost task', what: `${roomId} goes on without its task` }
    const concludes = room.state === 'concluded' && was?.state !== 'concluded'
    for (const [id, task] of Object.entries(room.tasks)) {
      const earlier = was?.tasks[id]
      if (task.status === 'open' && (room.state === 'closed' || !room.members.includes(task.assignee)))
        return { property: 'no lost task', what: `${id} of ${roomId} is out and can't come back` }
      if (earlier && earlier.status !== 'open' && task.status === 'open')
        return { property: 'no lost task', what: `${id} of ${roomId} is out twice` }
      if (concludes && task.status === 'open' && (earlier?.mode === 'sync' || was?.triggers.includes(id)))
        return { property: 'no conclusion with an open blocking task', what: `${roomId} concludes while ${id} is open` }
      if (task.paid && !(task.status === 'completed' && (task.accepted || after[roomId]?.room.state === 'closed')))
        return { property: 'no paid step without completion', what: `${id} of ${roomId} is paid while ${task.status}` }
      if (task.paid && above && !above.paid)
        return { property: 'no paid step without completion', what: `${id} of ${roomId} is paid before its step` }
    }
    const { turn } = room
    if (room.state === 'open' ? turn !== null && !room.members.includes(turn.holder) : turn !== null)
      return { property: 'one turn, never lost', what: `${roomId} is ${room.state}, and ${turn?.holder} has the turn` }
    // Free for all is what a lead leaves behind; everyone else hands the turn to a member.
    const held = was?.turn?.holder
    if (room.state === 'open' && turn === null && held !== undefined && held !== room.lead && move.type === 'in' && move.roomId === roomId)
      return { property: 'one turn, never lost', what: `the turn of ${held} is gone` }
    if (was && was.state !== 'open' && was.state !== room.state && room.state === 'open' && turn === null)
      return { property: 'one turn, never lost', what: `${roomId} goes on and nobody has the turn` }
    for (let up = parent; up; up = after[up.roomId]?.parent ?? null)
      if (after[up.roomId]?.room.lead === room.lead)
        return { property: 'no circle of hirers', what: `${room.lead} hires itself by way of others` }
  }
  return null
}
