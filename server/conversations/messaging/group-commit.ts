import type { Context } from '../../context.ts'
import { isUnexpected } from '../../db.ts'
import { type LogBatch, type Numbered, wakesOf } from '../../delivery/index.ts'
import { DomainError, serverUnavailable } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import { sayTogether } from './append-locked.ts'
import { sayAtOnce, sortOut } from './append-optimistic.ts'
import { howManyGo, mostPosts } from './flow-control/batch-size.ts'
import { createSenderOrder } from './flow-control/per-sender-queue.ts'
import { createPace } from './flow-control/write-concurrency.ts'
import { countFlushes, type FlushFigures } from './flow-control/write-metrics.ts'
import { type Ending, type Said, settle } from './post-result.ts'
import { createKnownRooms, type Overheard } from './room-cache.ts'
import { createJourneys, type Homes, type Waiting } from './room-router.ts'
import type { OpenRoom } from './sequence-messages.ts'
import type { CheckedPost } from './validate-post.ts'

/** What was just committed in this process; or, with `logs` null, that some of these groups may have been written to. */
export type Spoken = { readonly logs: readonly LogBatch[] } | { readonly logs: null; readonly groupIds: readonly string[] }

/**
 * Where talk of all rooms comes together: what comes in one turn is written in one transaction, and what arrives while its room
 * is being written to goes with the next one. No timer: alone, a message is written at once. Answers and deliveries come after
 * the commit.
 */
export type Switchboard = {
  /** How this process calls itself in wakes that its own listeners need not hear. */
  readonly name: string
  /** In the order of the calls where they come from one sender, however long each check takes. */
  post(sender: string, checked: CheckedPost | Promise<CheckedPost>, end: Ending<Said>): void
  /** What another process hands over: it is said here, wherever its room's place is. */
  postHere(checked: CheckedPost, end: Ending<Said>): void
  /** Where talk is said from now on; null: all of it here. */
  settle(homes: Homes | null): void
  /** A verb of this process has said this in a transaction of its own, which has committed. `room`: as it stands after it, if known. */
  hear(message: Numbered, room: OpenRoom | null): void
  /** These were read from the group's log: another process has written them. */
  overhear(groupId: string, messages: readonly Overheard[]): void
  /** Some of these groups may have been written to, by a verb that doesn't know whether it has committed. */
  lookAgain(groupIds: readonly string[]): void
  onSpoken(listener: (spoken: Spoken) => void): () => void
  figures(): FlushFigures
}

/** So many rooms are waited for at a time; each takes a connection. */
const mostApart = 4
/** So often what others changed in the middle of it is begun anew. */
const mostTries = 5

function createBoard(ctx: Context): Switchboard {
  const name = ctx.ids.uuid()
  const listeners = new Set<(spoken: Spoken) => void>()
  const known = createKnownRooms(ctx.market.serverDid)
  const flushes = countFlushes()
  const pace = createPace(begin, ctx.ports.writer.busyPolling)
  let queue: Waiting[] = []
  let writes = 0
  let isDue = false
  /** Rooms that a write under way is about: what comes for these goes after it. */
  const inHand = new Set<string>()
  /** Rooms that somebody else held: their talk waits for them in a line of its own, and holds up no other room. */
  const apart = new Map<string, Waiting[]>()
  const waitingApart: string[] = []
  let writingApart = 0
  /** Ends whenever the database was lost. What came before that is given back whole, so that nobody's later words overtake earlier ones. */
  let era = 0
  const senders = createSenderOrder<CheckedPost>()
  const journeys = createJourneys(
    (groupId) => inHand.has(groupId) || apart.has(groupId) || queue.some(({ post }) => post.groupId === groupId),
    enter,
  )

  // A room that others have written to is asked at once; trying it as it was would only fail.
  ctx.ports.wakes.on((signal) => {
    if (signal !== 'reconnected' && signal.topic === 'group' && signal.from !== name) known.outdate(signal.id, signal.seq)
  })

  function enter(waiting: Waiting): void {
    const line = apart.get(waiting.post.groupId)
    if (line) line.push(waiting)
    else {
      queue.push(waiting)
      begin()
    }
  }

  function begin(): void {
    if (isDue || queue.length === 0 || !pace.isWorthOne(writes, queue.length)) return
    isDue = true
    // What comes in with it goes with it; the sockets are looked at once more, as words that belong together come by several.
    setImmediate(setImmediate, () => {
      isDue = false
      void write()
    })
  }

  /** What goes as the next write, in its order; what is said in rooms that are in hand stays. */
  function take(): Waiting[] {
    const free = inHand.size === 0 ? queue : queue.filter(({ post }) => !inHand.has(post.groupId))
    const taken = free.slice(
      0,
      howManyGo(free.length, (index) => free[index]?.post.bytes ?? 0),
    )
    if (taken.length === queue.length) queue = []
    else {
      const gone = new Set(taken)
      queue = queue.filter((one) => !gone.has(one))
    }
    return taken
  }

  async function write(): Promise<void> {
    writes++
    for (let batch = take(); batch.length > 0; batch = pace.isWorthOne(writes - 1, queue.length) ? take() : []) {
      const groupIds = new Set(batch.map(({ post }) => post.groupId))
      for (const groupId of groupIds) inHand.add(groupId)
      const rest = await sayKnown(batch)
      const busy = rest.length > 0 ? await say(rest, false) : []
      // Those that came in meanwhile for the same rooms come after them.
      for (const groupId of new Set(busy.map(({ post }) => post.groupId))) {
        const isOf = ({ post }: Waiting) => post.groupId === groupId
        apart.set(groupId, [...busy.filter(isOf), ...queue.filter(isOf)])
        queue = queue.filter((one) => !isOf(one))
        void writeApart(groupId)
      }
      for (const groupId of groupIds) inHand.delete(groupId)
      journeys.left(groupIds)
      // What was said goes out before the next is got ready.
      await new Promise(process.nextTick)
    }
    writes--
  }

  async function writeApart(groupId: string): Promise<void> {
    if (writingApart >= mostApart) {
      waitingApart.push(groupId)
      return
    }
    writingApart++
    for (let line = apart.get(groupId) ?? []; line.length > 0; line = apart.get(groupId) ?? []) {
      const batch = line.splice(0, mostPosts)
      await say(batch, true)
    }
    apart.delete(groupId)
    journeys.left([groupId])
    writingApart--
    const next = waitingApart.shift()
    if (next !== undefined) void writeApart(next)
  }

  /** Says at once what it can, and gives back what has to ask first. */
  async function sayKnown(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { rooms, ways } = sortOut(
      ctx,
      batch.map(({ post }) => post),
      known,
    )
    for (const [index, { end }] of batch.entries()) {
      const way = ways[index]
      if (typeof way === 'object') end.reject(way.refused)
    }
    const ready = batch.filter((_, index) => ways[index] === 'say')
    const rest = batch.filter((_, index) => ways[index] === 'ask')
    if (ready.length === 0) return rest
    const posts = ready.map(({ post }) => post)
    const began = performance.now()
    const ended = pace.begin()
    const together = await sayAtOnce(ctx, posts, rooms).catch((error: unknown) => ({ error }))
    ended()
    if (!('error' in together)) {
      flushes.note('atOnce', posts.length, performance.now() - began)
      known.learn(together.rooms)
      if (together.logs.length > 0) tell({ logs: together.logs })
      for (const [index, waiting] of ready.entries()) settle(waiting, together.outcomes[index] ?? 'busy')
      return rest
    }
    const { error } = together
    if (isAway(error)) {
      lose(batch, error)
      return []
    }
    ctx.log.debug({ err: error, posts: posts.length }, 'rooms were not as they were known, and are asked')
    known.dispute(rooms.keys())
    return batch.filter((_, index) => typeof ways[index] !== 'object')
  }

  /** Gives those back whose room was in other hands. Where a batch fails, each goes once more by itself: one bad one spoils no other. */
  async function say(batch: readonly Waiting[], wait: boolean, tries = mostTries): Promise<Waiting[]> {
    const posts = batch.map(({ post }) => post)
    const began = performance.now()
    const together = await sayTogether(ctx, posts, { wait }).catch((error: unknown) => ({ error }))
    if (!('error' in together)) {
      flushes.note('asked', posts.length, performance.now() - began)
      known.learn(together.rooms)
      if (together.logs.length > 0) tell({ logs: together.logs })
      return batch.filter((waiting, index) => settle(waiting, together.outcomes[index] ?? 'busy') === 'busy')
    }
    const { error } = together
    if (isAway(error)) {
      lose(batch, error)
      return []
    }
    // Somebody has left a room at this moment: who is there now is asked once more.
    if (isUnexpected(error) && tries > 1) return say(batch, wait, tries - 1)
    if (batch.length === 1) {
      for (const { end } of batch) end.reject(error)
      return []
    }
    ctx.log.warn({ err: error, posts: batch.length }, 'a batch failed, and goes again one by one')
    const busy: Waiting[] = []
    for (const one of batch) busy.push(...(await say([one], wait)))
    return busy
  }

  /** It may have been committed, and only the answer was lost. */
  function lose(batch: readonly Waiting[], error: unknown): void {
    known.clear()
    giveBack(error)
    tell({ logs: null, groupIds: [...new Set(batch.map(({ post }) => post.groupId))] })
    for (const { end } of batch) end.reject(error)
  }

  function giveBack(error: unknown): void {
    era++
    const given = queue
    for (const { end } of [...given, ...[...apart.values()].flat()]) end.reject(error)
    queue = []
    for (const line of apart.values()) line.length = 0
    journeys.giveBack(error)
    journeys.left(new Set(given.map(({ post }) => post.groupId)))
  }

  function tell(spoken: Spoken): void {
    // Where it can't be known whether something was written, all processes look.
    ctx.ports.wakes.publish(
      spoken.logs ? wakesOf(spoken.logs, name) : spoken.groupIds.map((id) => ({ topic: 'group', id, from: name }) as const),
    )
    tellHere(spoken)
  }

  /** What a verb of this process has written: where the database tells with its commit, the others know. */
  const tellOwn = (spoken: Spoken) => (ctx.ports.wakes.byDatabase ? tellHere(spoken) : tell(spoken))

  function tellHere(spoken: Spoken): void {
    for (const listener of listeners) {
      try {
        listener(spoken)
      } catch (error) {
        // It is written; who can't be told now reads it later.
        ctx.log.error({ err: error }, 'what was said was not passed on')
      }
    }
  }

  return {
    name,
    post(sender, checked, end) {
      const began = era
      const enterInTime = (post: CheckedPost) => (began === era ? journeys.enter({ post, end }) : end.reject(serverUnavailable(null)))
      senders.hand(sender, checked, enterInTime, end.reject)
    },
    postHere: (post, end) => enter({ post, end }),
    settle: journeys.settle,
    hear(message, room) {
      known.follow(message, room)
      tellOwn({ logs: [{ groupId: message.spelled.envelope.group_id, messages: [message] }] })
    },
    overhear: known.overhear,
    lookAgain(groupIds) {
      known.forget(groupIds)
      tellOwn({ logs: null, groupIds })
    },
    onSpoken(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    figures: () => flushes.read([...apart.values()].reduce((sum, line) => sum + line.length, queue.length)),
  }
}

const isAway = (error: unknown) => error instanceof DomainError && error.code === 'server.unavailable'

type Boards = WeakMap<Ports['writer'], Switchboard>
// The bundler makes several instances of a module, and the one that asks first may be in the middle of a transaction.
const holder = globalThis as typeof globalThis & { parleyBoards?: Boards }
/** One for each composition of the server, so that two in one process don't share it. */
const boards: Boards = holder.parleyBoards ?? new WeakMap()
holder.parleyBoards = boards

/** The process's switchboard. It acts for whoever is named in a post, never for `ctx`'s own actor. */
export function switchboardOf(ctx: Context): Switchboard {
  const board = boards.get(ctx.ports.writer) ?? createBoard(ctx)
  boards.set(ctx.ports.writer, board)
  return board
}
