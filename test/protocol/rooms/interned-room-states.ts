/**
 * A room as a term: its state and what is out in it, as numbers, each term kept once. Agents and tasks have no names in it:
 * where turns and crashes are left out, an agent is either the room's lead or one of those not above it, and tasks that look
 * the same are the same. What has ended and has nothing out below it has no future, and is left out.
 */
import { type Room, type RoomState, type RoomTask, type RoomTree, startRoom } from '@parley/protocol'
import { client, firstRoom, names, type Profile } from './explore.ts'

/** Out: sync, trigger of a pause, async; in capitals those of the lead itself. Then done, accepted (yes), paid, ended. */
const heads = 'staSTAdypz'
const outHeads = 6
const gone = 8
/** What a room sees of a room below it. */
const kinds: { readonly [state in RoomState]: number } = { open: 1, waiting: 1, paused: 1, halted: 1, concluded: 2, closed: 3 }
const kindRooms: readonly RoomState[] = ['open', 'concluded', 'closed']

export type Term = { readonly state: RoomState; readonly tasks: readonly number[]; readonly out: number }
/** How the task stands that a room is for; of the first room, which is for none, `open`. */
export const aboves = ['open', 'done', 'paid'] as const
export type Above = (typeof aboves)[number]
export type Terms = ReturnType<typeof createTerms>

export function createTerms(options: Pick<Profile, 'agents' | 'money'>) {
  const agents = names.slice(0, options.agents)
  const head: number[] = []
  const child: number[] = []
  const sketch: number[] = []
  const outOf: number[] = []
  const rooms: Term[] = []
  const taskIds = new Map<number, number>()
  const roomIds = new Map<string, number>()
  const empty = kindRooms.map((state) => room(state, []))

  /** The task of this look; -1 for one without a future. */
  function task(code: number, below: number): number {
    const outBelow = below < 0 ? 0 : (rooms[below]?.out ?? 0)
    if (code >= gone && outBelow === 0) return -1
    const key = (below + 1) * heads.length + code
    const known = taskIds.get(key)
    if (known !== undefined) return known
    taskIds.set(key, head.length)
    head.push(code)
    child.push(below)
    sketch.push(code * 4 + (below < 0 ? 0 : kinds[rooms[below]?.state as RoomState]))
    outOf.push(outBelow + (code < outHeads ? 1 : 0))
    return head.length - 1
  }

  /** Tasks in their order: what looks the same from the room stands together, and the same beside the same. */
  function inOrder(tasks: number[]): number[] {
    for (let i = 1; i < tasks.length; i++) {
      const one = tasks[i] as number
      const looks = sketch[one] as number
      let at = i - 1
      for (; at >= 0; at--) {
        const other = tasks[at] as number
        const seen = sketch[other] as number
        if (seen < looks || (seen === looks && other <= one)) break
        tasks[at + 1] = other
      }
      tasks[at + 1] = one
    }
    return tasks
  }

  function room(state: RoomState, tasks: number[]): number {
    const key = `${state}:${inOrder(tasks).join()}`
    const known = roomIds.get(key)
    if (known !== undefined) return known
    roomIds.set(key, rooms.length)
    rooms.push({ state, tasks, out: tasks.reduce((sum, one) => sum + (outOf[one] as number), 0) })
    return rooms.length - 1
  }

  function headOf(inRoom: Room, id: string): number {
    const one = inRoom.tasks[id] as RoomTask
    if (one.status === 'completed' && options.money) return heads.indexOf(one.paid ? 'p' : one.accepted ? 'y' : 'd')
    if (one.status !== 'open') return heads.indexOf('z')
    const mode = one.mode === 'sync' ? 0 : inRoom.triggers.includes(id) ? 1 : 2
    return one.assignee === inRoom.lead ? mode + 3 : mode
  }

  const aboveOf = (code: number): Above => (code < outHeads ? 'open' : heads[code] === 'p' ? 'paid' : 'done')

  /** The term of a room of the protocol's own. */
  function read(tree: RoomTree, roomId: string): number {
    const inRoom = tree[roomId]?.room as Room
    const tasks = Object.keys(inRoom.tasks).map((id) => {
      const below = `${roomId}.${id}`
      return task(headOf(inRoom, id), tree[below] ? read(tree, below) : -1)
    })
    return room(
      inRoom.state,
      tasks.filter((id) => id >= 0),
    )
  }

  /** The protocol's room for this term, at the given depth. Its tasks are `t0`, `t1`, … `isSketch`: the rooms below are empty. */
  function draw(term: Omit<Term, 'out'>, depth: number, above: Above, isSketch = false): { tree: RoomTree; roomId: string } {
    let tree: RoomTree = {}
    let roomId = firstRoom
    for (let at = 0; at < depth; at++) {
      const isOut = above === 'open' || (above === 'done' && at < depth - 1)
      const given: RoomTask = {
        mode: 'async',
        assignee: names[at + 1] as string,
        status: isOut ? 'open' : 'completed',
        accepted: !isOut,
        paid: above === 'paid',
      }
      const room = { ...bare(at, isOut ? 'open' : 'concluded'), tasks: { p: given } }
      tree = { ...tree, [roomId]: { room, parent: parentOf(roomId) } }
      roomId = `${roomId}.p`
    }
    return { tree: put(tree, roomId, term, depth, isSketch), roomId }
  }

  function put(before: RoomTree, roomId: string, term: Omit<Term, 'out'>, depth: number, isSketch = false): RoomTree {
    const [lead, other] = [names[depth] as string, names[depth + 1] as string]
    const tasks: { [id: string]: RoomTask } = {}
    const triggers: string[] = []
    let tree = before
    for (const [index, id] of term.tasks.entries()) {
      const letter = heads[head[id] as number] as string
      const isOut = (head[id] as number) < outHeads
      if (letter.toLowerCase() === 't') triggers.push(`t${index}`)
      tasks[`t${index}`] = {
        mode: letter.toLowerCase() === 's' ? 'sync' : 'async',
        assignee: isOut && letter !== letter.toLowerCase() ? lead : other,
        // What failed takes the rooms below along: only what was returned can leave something out there.
        status: isOut ? 'open' : letter === 'z' && options.money ? 'returned' : 'completed',
        accepted: letter === 'y' || letter === 'p',
        paid: letter === 'p',
      }
      const below = rooms[child[id] as number]
      if (below)
        tree = put(
          tree,
          `${roomId}.t${index}`,
          isSketch ? { state: kindRooms[kinds[below.state] - 1] as RoomState, tasks: [] } : below,
          depth + 1,
        )
    }
    const drawn = { ...bare(depth, term.state), tasks, triggers, resume: triggers.length > 0 ? lead : null }
    return { ...tree, [roomId]: { room: { ...drawn, members: depth === 0 ? agents : [lead, other] }, parent: parentOf(roomId) } }
  }

  function bare(depth: number, state: RoomState): Room {
    const lead = names[depth] as string
    const started = startRoom({
      lead,
      client: depth === 0 ? client : lead,
      members: depth === 0 ? agents : [names[depth + 1] as string],
      at: 0,
    })
    return { ...started, state, turn: state === 'open' ? started.turn : null }
  }

  /** A term in letters, for those who read a fault. */
  function spell(term: Omit<Term, 'out'>): string {
    const tasks = term.tasks.map((id) => {
      const below = rooms[child[id] as number]
      return `${heads[head[id] as number]}${below ? spell(below) : ''}`
    })
    return `${term.state}(${tasks.sort().join(' ')})`
  }

  return { head, child, sketch, outOf, rooms, empty, task, inOrder, room, headOf, aboveOf, read, draw, spell }
}

function parentOf(roomId: string): { roomId: string; task: string } | null {
  const dot = roomId.lastIndexOf('.')
  return dot < 0 ? null : { roomId: roomId.slice(0, dot), task: roomId.slice(dot + 1) }
}
