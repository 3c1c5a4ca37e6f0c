import type { Context } from '../../context.ts'
import { isUnexpected } from '../../db.ts'
import { type LogBatch, type SequencedMessage, signalsOf } from '../../delivery/index.ts'
import { DomainError, serverUnavailable } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import { appendWithLocks } from './append-locked.ts'
import { appendOptimistically, partitionPosts } from './append-optimistic.ts'
import { batchSize, maxBatchPosts } from './flow-control/batch-size.ts'
import { createPerSenderQueue } from './flow-control/per-sender-queue.ts'
import { createWriteConcurrency } from './flow-control/write-concurrency.ts'
import { createWriteMetrics, type WriteMetrics } from './flow-control/write-metrics.ts'
import { type Completion, complete, type PostResult } from './post-result.ts'
import { createRoomCache, type RemoteMessage } from './room-cache.ts'
import { createRoomRouter, type PeerRouting, type PendingPost } from './room-router.ts'
import type { RoomSnapshot } from './sequence-messages.ts'
import type { ValidatedPost } from './validate-post.ts'

/** What was just committed in this process; or, with `logs` null, that some of these groups may have been written to. */
export type Committed = { readonly logs: readonly LogBatch[] } | { readonly logs: null; readonly groupIds: readonly string[] }

/**
 * Where talk of all rooms comes together: what comes in one turn is written in one transaction, and what arrives while its room
 * is being written to goes with the next one. No timer: alone, a message is written at once. Answers and deliveries come after
 * the commit.
 */
export type MessageWriter = {
  /** How this process calls itself in wakes that its own listeners need not hear. */
  readonly name: string
  /** In the order of the calls where they come from one sender, however long each check takes. */
  post(sender: string, validated: ValidatedPost | Promise<ValidatedPost>, completion: Completion<PostResult>): void
  /** What another process hands over: it is said here, wherever its room's place is. */
  postLocally(validated: ValidatedPost, completion: Completion<PostResult>): void
  /** Where talk is said from now on; null: all of it here. */
  setRouting(homes: PeerRouting | null): void
  /** A verb of this process has said this in a transaction of its own, which has committed. `room`: as it stands after it, if known. */
  noteCommitted(message: SequencedMessage, room: RoomSnapshot | null): void
  /** These were read from the group's log: another process has written them. */
  noteRemoteMessages(groupId: string, messages: readonly RemoteMessage[]): void
  /** Some of these groups may have been written to, by a verb that doesn't know whether it has committed. */
  invalidate(groupIds: readonly string[]): void
  onCommitted(listener: (spoken: Committed) => void): () => void
  metrics(): WriteMetrics
}

/** So many rooms are waited for at a time; each takes a connection. */
const maxContendedWrites = 4
/** So often what others changed in the middle of it is begun anew. */
const maxAttempts = 5

function createMessageWriter(ctx: Context): MessageWriter {
  const name = ctx.ids.uuid()
  const listeners = new Set<(spoken: Committed) => void>()
  const cache = createRoomCache(ctx.market.serverDid)
  const writeMetrics = createWriteMetrics()
  const concurrency = createWriteConcurrency(scheduleWrite, ctx.ports.writer.busyPolling)
  let queue: PendingPost[] = []
  let writes = 0
  let isScheduled = false
  /** Rooms that a write under way is about: what comes for these goes after it. */
  const roomsInFlight = new Set<string>()
  /** Rooms that somebody else held: their talk waits for them in a line of its own, and holds up no other room. */
  const contended = new Map<string, PendingPost[]>()
  const contendedQueue: string[] = []
  let contendedWrites = 0
  /** Ends whenever the database was lost. What came before that is given back whole, so that nobody's later words overtake earlier ones. */
  let epoch = 0
  const senderQueue = createPerSenderQueue<ValidatedPost>()
  const router = createRoomRouter(
    (groupId) => roomsInFlight.has(groupId) || contended.has(groupId) || queue.some(({ post }) => post.groupId === groupId),
    enqueue,
  )

  // A room that others have written to is asked at once; trying it as it was would only fail.
  ctx.ports.wakes.on((signal) => {
    if (signal !== 'reconnected' && signal.topic === 'group' && signal.from !== name) cache.markStale(signal.id, signal.seq)
  })

  function enqueue(waiting: PendingPost): void {
    const line = contended.get(waiting.post.groupId)
    if (line) line.push(waiting)
    else {
      queue.push(waiting)
      scheduleWrite()
    }
  }

  function scheduleWrite(): void {
    if (isScheduled || queue.length === 0 || !concurrency.mayStartWrite(writes, queue.length)) return
    isScheduled = true
    // What comes in with it goes with it; the sockets are looked at once more, as words that belong together come by several.
    setImmediate(setImmediate, () => {
      isScheduled = false
      void writeBatches()
    })
  }

  /** What goes as the next write, in its order; what is said in rooms that are in hand stays. */
  function takeBatch(): PendingPost[] {
    const free = roomsInFlight.size === 0 ? queue : queue.filter(({ post }) => !roomsInFlight.has(post.groupId))
    const taken = free.slice(
      0,
      batchSize(free.length, (index) => free[index]?.post.bytes ?? 0),
    )
    if (taken.length === queue.length) queue = []
    else {
      const gone = new Set(taken)
      queue = queue.filter((one) => !gone.has(one))
    }
    return taken
  }

  async function writeBatches(): Promise<void> {
    writes++
    for (let batch = takeBatch(); batch.length > 0; batch = concurrency.mayStartWrite(writes - 1, queue.length) ? takeBatch() : []) {
      const groupIds = new Set(batch.map(({ post }) => post.groupId))
      for (const groupId of groupIds) roomsInFlight.add(groupId)
      const rest = await writeOptimistic(batch)
      const busy = rest.length > 0 ? await writeLocked(rest, false) : []
      // Those that came in meanwhile for the same rooms come after them.
      for (const groupId of new Set(busy.map(({ post }) => post.groupId))) {
        const isOf = ({ post }: PendingPost) => post.groupId === groupId
        contended.set(groupId, [...busy.filter(isOf), ...queue.filter(isOf)])
        queue = queue.filter((one) => !isOf(one))
        void writeContended(groupId)
      }
      for (const groupId of groupIds) roomsInFlight.delete(groupId)
      router.onLocalWritesDone(groupIds)
      // What was said goes out before the next is got ready.
      await new Promise(process.nextTick)
    }
    writes--
  }

  async function writeContended(groupId: string): Promise<void> {
    if (contendedWrites >= maxContendedWrites) {
      contendedQueue.push(groupId)
      return
    }
    contendedWrites++
    for (let line = contended.get(groupId) ?? []; line.length > 0; line = contended.get(groupId) ?? []) {
      const batch = line.splice(0, maxBatchPosts)
      await writeLocked(batch, true)
    }
    contended.delete(groupId)
    router.onLocalWritesDone([groupId])
    contendedWrites--
    const next = contendedQueue.shift()
    if (next !== undefined) void writeContended(next)
  }

  /** Says at once what it can, and gives back what has to ask first. */
  async function writeOptimistic(batch: readonly PendingPost[]): Promise<readonly PendingPost[]> {
    const { rooms, routes } = partitionPosts(
      ctx,
      batch.map(({ post }) => post),
      cache,
    )
    for (const [index, { completion }] of batch.entries()) {
      const way = routes[index]
      if (typeof way === 'object') completion.reject(way.rejected)
    }
    const ready = batch.filter((_, index) => routes[index] === 'append')
    const rest = batch.filter((_, index) => routes[index] === 'lock')
    if (ready.length === 0) return rest
    const posts = ready.map(({ post }) => post)
    const began = performance.now()
    const ended = concurrency.startWrite()
    const result = await appendOptimistically(ctx, posts, rooms).catch((error: unknown) => ({ error }))
    ended()
    if (!('error' in result)) {
      writeMetrics.record('optimistic', posts.length, performance.now() - began)
      cache.put(result.rooms)
      if (result.logs.length > 0) publish({ logs: result.logs })
      for (const [index, waiting] of ready.entries()) complete(waiting, result.outcomes[index] ?? 'busy')
      return rest
    }
    const { error } = result
    if (isServerUnavailable(error)) {
      failAfterDisconnect(batch, error)
      return []
    }
    ctx.log.debug({ err: error, posts: posts.length }, 'rooms were not as they were known, and are asked')
    cache.evictContended(rooms.keys())
    return batch.filter((_, index) => typeof routes[index] !== 'object')
  }

  /** Gives those back whose room was in other hands. Where a batch fails, each goes once more by itself: one bad one spoils no other. */
  async function writeLocked(batch: readonly PendingPost[], wait: boolean, attempts = maxAttempts): Promise<PendingPost[]> {
    const posts = batch.map(({ post }) => post)
    const began = performance.now()
    const result = await appendWithLocks(ctx, posts, { wait }).catch((error: unknown) => ({ error }))
    if (!('error' in result)) {
      writeMetrics.record('locked', posts.length, performance.now() - began)
      cache.put(result.rooms)
      if (result.logs.length > 0) publish({ logs: result.logs })
      return batch.filter((waiting, index) => complete(waiting, result.outcomes[index] ?? 'busy') === 'busy')
    }
    const { error } = result
    if (isServerUnavailable(error)) {
      failAfterDisconnect(batch, error)
      return []
    }
    // Somebody has left a room at this moment: who is there now is asked once more.
    if (isUnexpected(error) && attempts > 1) return writeLocked(batch, wait, attempts - 1)
    if (batch.length === 1) {
      for (const { completion } of batch) completion.reject(error)
      return []
    }
    ctx.log.warn({ err: error, posts: batch.length }, 'a batch failed, and goes again one by one')
    const busy: PendingPost[] = []
    for (const one of batch) busy.push(...(await writeLocked([one], wait)))
    return busy
  }

  /** It may have been committed, and only the answer was lost. */
  function failAfterDisconnect(batch: readonly PendingPost[], error: unknown): void {
    cache.clear()
    rejectAll(error)
    publish({ logs: null, groupIds: [...new Set(batch.map(({ post }) => post.groupId))] })
    for (const { completion } of batch) completion.reject(error)
  }

  function rejectAll(error: unknown): void {
    epoch++
    const given = queue
    for (const { completion } of [...given, ...[...contended.values()].flat()]) completion.reject(error)
    queue = []
    for (const line of contended.values()) line.length = 0
    router.rejectHeld(error)
    router.onLocalWritesDone(new Set(given.map(({ post }) => post.groupId)))
  }

  function publish(spoken: Committed): void {
    // Where it can't be known whether something was written, all processes look.
    ctx.ports.wakes.publish(
      spoken.logs ? signalsOf(spoken.logs, name) : spoken.groupIds.map((id) => ({ topic: 'group', id, from: name }) as const),
    )
    notifyListeners(spoken)
  }

  /** What a verb of this process has written: where the database tells with its commit, the others know. */
  const publishOwn = (spoken: Committed) => (ctx.ports.wakes.byDatabase ? notifyListeners(spoken) : publish(spoken))

  function notifyListeners(spoken: Committed): void {
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
    post(sender, checked, completion) {
      const began = epoch
      const enterInTime = (post: ValidatedPost) =>
        began === epoch ? router.route({ post, completion }) : completion.reject(serverUnavailable(null))
      senderQueue.enqueue(sender, checked, enterInTime, completion.reject)
    },
    postLocally: (post, completion) => enqueue({ post, completion }),
    setRouting: router.setRouting,
    noteCommitted(message, room) {
      cache.noteWritten(message, room)
      publishOwn({ logs: [{ groupId: message.canonical.envelope.group_id, messages: [message] }] })
    },
    noteRemoteMessages: cache.applyRemote,
    invalidate(groupIds) {
      cache.evict(groupIds)
      publishOwn({ logs: null, groupIds })
    },
    onCommitted(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    metrics: () => writeMetrics.read([...contended.values()].reduce((sum, line) => sum + line.length, queue.length)),
  }
}

const isServerUnavailable = (error: unknown) => error instanceof DomainError && error.code === 'server.unavailable'

type Writers = WeakMap<Ports['writer'], MessageWriter>
// The bundler makes several instances of a module, and the one that asks first may be in the middle of a transaction.
const holder = globalThis as typeof globalThis & { parleyMessageWriters?: Writers }
/** One for each composition of the server, so that two in one process don't share it. */
const writers: Writers = holder.parleyMessageWriters ?? new WeakMap()
holder.parleyMessageWriters = writers

/** The process's switchboard. It acts for whoever is named in a post, never for `ctx`'s own actor. */
export function messageWriterOf(ctx: Context): MessageWriter {
  const writer = writers.get(ctx.ports.writer) ?? createMessageWriter(ctx)
  writers.set(ctx.ports.writer, writer)
  return writer
}
