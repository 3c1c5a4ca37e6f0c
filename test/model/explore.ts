/**
 * Breadth-first search over a world: a start, and for each state the moves that a party can make in it. It searches for three faults: a
 * state or a move that breaks a rule, a funded state that only a party can leave, and an endless run.
 */

/** Who moves. What `automatic` names continues without any party; all others may stay silent for ever. */
export type Actor =
  | 'client'
  | 'payee'
  | 'evaluator'
  | 'arbitrator'
  | 'planner'
  | 'authorizer'
  | 'operator'
  | 'anybody'
  | 'server'
  | 'time'
  | 'chain'
  | 'stripe'

const automatic: ReadonlySet<Actor> = new Set<Actor>(['anybody', 'server', 'time', 'chain', 'stripe'])

export type Move<S> = { readonly name: string; readonly by: Actor; readonly to: S }

export type World<S> = {
  readonly name: string
  readonly starts: readonly S[]
  /** Two states with one key behave alike. */
  readonly keyOf: (state: S) => string
  readonly movesOf: (state: S) => readonly Move<S>[]
  /** Money lies in it that has not gone to completion. */
  readonly isFunded: (state: S) => boolean
  /** What is wrong with a state, in a sentence. Asked whenever it is reached, also where its key is known. */
  readonly faultOf: (state: S) => string | null
  /** What is wrong with a move, in a sentence. */
  readonly moveFaultOf: (from: S, move: Move<S>) => string | null
  /** Seconds since the money was set aside. */
  readonly ageOf: (state: S) => number
  /** The longest that money may lie here, in seconds. */
  readonly maxSeconds: number
}

export type Fault = { readonly kind: 'rule' | 'dead end' | 'endless' | 'too late'; readonly what: string; readonly path: readonly string[] }

export type Report = {
  readonly world: string
  readonly states: number
  readonly transitions: number
  /** Moves on the longest way to an end that needs no party, from any state. */
  readonly longestPath: number
  /** The oldest that money got, in days. */
  readonly longestDays: number
  readonly faults: readonly Fault[]
  /** More states than were asked for: nothing is proved. */
  readonly isCut: boolean
  readonly seen: ReadonlySet<string>
}

type Node<S> = {
  readonly state: S
  readonly before: number
  readonly by: string
  /** Where moves that need no party lead. */
  readonly goesOn: number[]
}

const daySeconds = 86_400

export function explore<S>(world: World<S>, { maxStates = 400_000, maxFaults = 1 } = {}): Report {
  const search = new Search(world, maxFaults)
  for (const start of world.starts) search.reach(start, -1, 'start')
  for (let at = 0; at < search.nodes.length && at < maxStates && !search.isOver(); at++) search.expand(at)
  const isCut = search.nodes.length > maxStates
  const longestPath = search.isOver() || isCut ? 0 : search.requireEnds()
  return {
    world: world.name,
    states: search.nodes.length,
    transitions: search.transitions,
    longestPath,
    longestDays: search.oldest / daySeconds,
    faults: search.faults,
    isCut,
    seen: search.seen,
  }
}

class Search<S> {
  readonly nodes: Node<S>[] = []
  readonly faults: Fault[] = []
  /** Names of the moves that were made. */
  readonly seen = new Set<string>()
  transitions = 0
  oldest = 0
  private readonly known = new Map<string, number>()
  private readonly world: World<S>
  private readonly maxFaults: number

  constructor(world: World<S>, maxFaults: number) {
    this.world = world
    this.maxFaults = maxFaults
  }

  isOver(): boolean {
    return this.faults.length >= this.maxFaults
  }

  reach(state: S, before: number, by: string): number {
    const key = this.world.keyOf(state)
    const fault = this.world.faultOf(state)
    const known = this.known.get(key)
    if (known !== undefined) {
      if (fault !== null) this.note('rule', fault, before, by)
      return known
    }
    const at = this.nodes.length
    this.known.set(key, at)
    this.nodes.push({ state, before, by, goesOn: [] })
    this.oldest = Math.max(this.oldest, this.world.ageOf(state))
    if (fault !== null) this.note('rule', fault, at)
    else if (this.world.isFunded(state) && this.world.ageOf(state) > this.world.maxSeconds)
      this.note('too late', `The money lies here for more than ${this.world.maxSeconds / daySeconds} days.`, at)
    return at
  }

  expand(at: number): void {
    const node = this.nodes[at] as Node<S>
    const moves = this.world.movesOf(node.state)
    const isFunded = this.world.isFunded(node.state)
    for (const move of moves) {
      this.transitions++
      this.seen.add(move.name)
      const fault = this.world.moveFaultOf(node.state, move)
      const to = this.reach(move.to, at, `${move.by}: ${move.name}`)
      if (fault !== null) this.note('rule', fault, at, `${move.by}: ${move.name}`)
      if (isFunded && to !== at && automatic.has(move.by)) node.goesOn.push(to)
    }
    if (isFunded && node.goesOn.length === 0) this.note('dead end', 'Without a party nothing moves, and the money lies here.', at)
  }

  /**
   * From each funded state, every way that needs no party has to end: so there may be no circle among these moves. Answers the
   * length of the longest.
   */
  requireEnds(): number {
    const length = new Int32Array(this.nodes.length).fill(-1)
    const onWay = new Uint8Array(this.nodes.length)
    for (let start = 0; start < this.nodes.length; start++) {
      const stack = [start]
      while (stack.length > 0) {
        const at = stack.at(-1) as number
        const { goesOn } = this.nodes[at] as Node<S>
        if (length[at] !== -1) {
          stack.pop()
          continue
        }
        onWay[at] = 1
        const open = goesOn.find((next) => length[next] === -1)
        if (open === undefined) {
          length[at] = goesOn.reduce((max, next) => Math.max(max, (length[next] as number) + 1), 0)
          onWay[at] = 0
          stack.pop()
        } else if (onWay[open]) {
          this.note('endless', 'Without a party things go round for ever, and the money lies here.', open)
          return 0
        } else stack.push(open)
      }
    }
    return length.reduce((max, one) => Math.max(max, one), 0)
  }

  private note(kind: Fault['kind'], what: string, at: number, last?: string): void {
    const path: string[] = last === undefined ? [] : [last]
    for (let node = this.nodes[at]; node && node.before >= 0; node = this.nodes[node.before]) path.unshift(node.by)
    this.faults.push({ kind, what, path })
  }
}
