/**
 * Every state of a market in factored form, breadth first. A state is a row of numbers, kept as pairs that it shares with all
 * that begin with the same tasks. Every one is kept whole: none is taken for another.
 */
import { advanceTree, type RoomState, roomStates } from '@parley/protocol'
import { type Advance, firstRoom, type Profile, startTree } from './explore.ts'
import { type Broken, createFactored } from './factored-successors.ts'
import { createTerms, type Term } from './interned-room-states.ts'
import { createPairs, longer } from './pair-set.ts'

export type FactoredFault = Broken & { readonly path: readonly string[] }
export type FactoredReport = {
  readonly states: number
  readonly steps: number
  /** How many steps the farthest state is away. */
  readonly depth: number
  readonly ends: number
  readonly faults: readonly FactoredFault[]
}
type World = { readonly state: RoomState; readonly tasks: readonly number[]; readonly used: number }
type Options = { readonly advance?: Advance; readonly onState?: (spelled: string) => void }

/** `onState` receives every state in letters: how many tasks were given out so far, and the rooms. */
export function exploreFactored(profile: Profile, { advance = advanceTree, onState }: Options = {}): FactoredReport {
  if (profile.turns || profile.crashes > 0 || profile.agents < profile.depth + 2)
    throw new Error('Agents have no names here: turns and crashes are left out, and at least one agent is no lead.')
  const terms = createTerms(profile)
  const { follow, faults: broken } = createFactored(terms, profile, advance)
  const known = createKnown()
  const start = terms.rooms[terms.read(startTree(profile), firstRoom)] as Term
  known.add(start.state, start.tasks, 0, 0)

  const toDo = (state: RoomState, tasks: readonly number[]): number =>
    tasks.reduce((sum, id) => sum + 2 * (terms.outOf[id] as number), isOver(state) ? 0 : 1)
  const spelled = (index: number): string => {
    const world = known.at(index)
    return `${world.used} ${terms.spell(world)}`
  }
  /** States from which no one step leads nearer to an end. */
  const held: number[] = []
  let steps = 0
  let ends = 0
  let depth = 0
  let level = 1
  for (let index = 0; index < known.count() && broken.length === 0; index++) {
    if (index === level) {
      depth++
      level = known.count()
    }
    const { state, tasks, used } = known.at(index)
    onState?.(spelled(index))
    const left = toDo(state, tasks)
    if (left === 0) ends++
    let isNearer = left === 0
    follow(state, tasks, 0, 'open', used < profile.tasks, (then, after, added, isCancel) => {
      steps++
      known.add(then, after, used + added, index)
      isNearer ||= !isCancel && toDo(then, after) < left
    })
    if (broken[0]) return { states: known.count(), steps, depth, ends, faults: [{ ...broken[0], path: known.wayTo(index).map(spelled) }] }
    if (!isNearer) held.push(index)
  }
  const stuck = held.length === 0 ? undefined : firstStuck()
  const faults =
    stuck === undefined
      ? []
      : [{ property: 'no deadlock' as const, what: 'no way to an end from here', path: known.wayTo(stuck).map(spelled) }]
  return { states: known.count(), steps, depth, ends, faults }

  /** The first state from which no end can be reached, found backwards from the ends. */
  function firstStuck(): number | undefined {
    const good = new Uint8Array(known.count())
    for (let hasGrown = true; hasGrown; ) {
      hasGrown = false
      for (let index = good.length - 1; index >= 0; index--) {
        if (good[index] === 1) continue
        const { state, tasks, used } = known.at(index)
        let isGood = toDo(state, tasks) === 0
        if (!isGood)
          follow(state, tasks, 0, 'open', used < profile.tasks, (then, after, added, isCancel) => {
            isGood ||= !isCancel && good[known.add(then, after, used + added, index)] === 1
          })
        if (!isGood) continue
        good[index] = 1
        hasGrown = true
      }
    }
    const found = good.indexOf(0)
    return found < 0 ? undefined : found
  }
}

const isOver = (state: RoomState): boolean => state === 'concluded' || state === 'closed'

/** The states that are known, by the order in which they were found, and whence each was found. */
function createKnown() {
  const pairs = createPairs()
  /** By state, its pair and where it came from; by pair, its state. */
  let nodes = new Uint32Array(1 << 16)
  let cameBy = new Uint32Array(1 << 16)
  let states = new Uint32Array(1 << 16)
  let count = 0
  return {
    count: () => count,
    /** Its place. A row of tasks is the empty list 0, or a list and one more task. */
    add(state: RoomState, tasks: readonly number[], used: number, from: number): number {
      let list = 0
      for (const id of tasks) list = pairs.of(list, id * 2) + 1
      const before = pairs.count()
      const node = pairs.of(list, (used * roomStates.length + roomStates.indexOf(state)) * 2 + 1)
      while (states.length <= node) states = longer(states)
      if (node !== before) return states[node] as number
      if (count === nodes.length) {
        nodes = longer(nodes)
        cameBy = longer(cameBy)
      }
      nodes[count] = node
      cameBy[count] = from
      states[node] = count
      count++
      return count - 1
    },
    at(index: number): World {
      const node = nodes[index] as number
      const head = pairs.right(node) >> 1
      const tasks: number[] = []
      for (let list = pairs.left(node); list !== 0; list = pairs.left(list - 1)) tasks.push(pairs.right(list - 1) >> 1)
      return {
        state: roomStates[head % roomStates.length] as RoomState,
        tasks: tasks.reverse(),
        used: Math.floor(head / roomStates.length),
      }
    },
    wayTo(index: number): number[] {
      const way = [index]
      for (let at = index; at !== 0; ) {
        at = cameBy[at] as number
        way.unshift(at)
      }
      return way
    },
  }
}
