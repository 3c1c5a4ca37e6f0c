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
  for (const group of Object.keys(before)) {
    if (!after[group]) return { property: 'no lost task', what: `the room ${group} is gone` }
    for (const id of Object.keys(before[group]?.room.tasks ?? {}))
      if (!after[group].room.tasks[id]) return { property: 'no lost task', what: `${id} of ${group} is gone` }
  }
  for (const [group, { room, parent }] of Object.entries(after)) {
    const was = before[group]?.room
    if (room === was && parent === null) continue
    const above = parent && after[parent.group]?.room.tasks[parent.task]
    // A room that works on for a task nobody waits for, and a task out in a room where nobody can end it.
    if (parent && above?.status !== 'open' && !over(room.state))
      return { property: 'no lost task', what: `${group} goes on without its task` }
    const concludes = room.state === 'concluded' && was?.state !== 'concluded'
    for (const [id, task] of Object.entries(room.tasks)) {
      const earlier = was?.tasks[id]
      if (task.status === 'open' && (room.state === 'closed' || !room.members.includes(task.assignee)))
        return { property: 'no lost task', what: `${id} of ${group} is out and can't come back` }
      if (earlier && earlier.status !== 'open' && task.status === 'open')
        return { property: 'no lost task', what: `${id} of ${group} is out twice` }
      if (concludes && task.status === 'open' && (earlier?.mode === 'sync' || was?.triggers.includes(id)))
        return { property: 'no conclusion with an open blocking task', what: `${group} concludes while ${id} is open` }
      if (task.paid && !(task.status === 'completed' && (task.accepted || after[group]?.room.state === 'closed')))
        return { property: 'no paid step without completion', what: `${id} of ${group} is paid while ${task.status}` }
      if (task.paid && above && !above.paid)
        return { property: 'no paid step without completion', what: `${id} of ${group} is paid before its step` }
    }
    const { turn } = room
    if (room.state === 'open' ? turn !== null && !room.members.includes(turn.holder) : turn !== null)
      return { property: 'one turn, never lost', what: `${group} is ${room.state}, and ${turn?.holder} has the turn` }
    // Free for all is what a lead leaves behind; everybody else hands the turn to somebody.
    const held = was?.turn?.holder
    if (room.state === 'open' && turn === null && held !== undefined && held !== room.lead && move.type === 'in' && move.group === group)
      return { property: 'one turn, never lost', what: `the turn of ${held} is gone` }
    if (was && was.state !== 'open' && was.state !== room.state && room.state === 'open' && turn === null)
      return { property: 'one turn, never lost', what: `${group} goes on and nobody has the turn` }
    for (let up = parent; up; up = after[up.group]?.parent ?? null)
      if (after[up.group]?.room.lead === room.lead)
        return { property: 'no circle of hirers', what: `${room.lead} hires itself by way of others` }
  }
  return null
}
