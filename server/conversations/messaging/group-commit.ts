import type { Context } from '../../context.ts'
import { isStaleExpectation } from '../../db.ts'
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

/** Messages that this process committed. `logs` is null if these groups may have changed and it is not known how. */
export type Committed = { readonly logs: readonly LogBatch[] } | { readonly logs: null; readonly groupIds: readonly string[] }

/**
 * Group commit of messages for all rooms: posts that arrive together are written in one transaction.
 * Posts that arrive while their room is being written go into the next batch. No timer delays a write.
 * Results and deliveries follow the commit.
 */
export type MessageWriter = {
  /** The id of this process in change signals, by which it ignores its own. */
  readonly name: string
  /** Keeps the call order of each sender, however long each validation takes. */
  post(sender: string, validated: ValidatedPost | Promise<ValidatedPost>, completion: Completion<PostResult>): void
  /** Writes a post that another process forwarded, without routing it again. */
  postLocally(validated: ValidatedPost, completion: Completion<PostResult>): void
  /** Sets which process writes which room; null: this process writes all of them. */
  setRouting(routing: PeerRouting | null): void
  /** A command committed this message in its own transaction. `room`: the state afterwards, if known. */
  noteCommitted(message: SequencedMessage, room: RoomSnapshot | null): void
  /** Messages that another process wrote, as read from the log. */
  noteRemoteMessages(groupId: string, messages: readonly RemoteMessage[]): void
  /** A command may have written to these groups and does not know whether it committed. */
  invalidate(groupIds: readonly string[]): void
  onCommitted(listener: (committed: Committed) => void): () => void
  metrics(): WriteMetrics
}

/** Contended rooms that wait for their lock at the same time; each one holds a database connection. */
const maxContendedWrites = 4
/** Attempts of a batch whose transaction conflicts with another one. */
const maxAttempts = 5

function createMessageWriter(ctx: Context): MessageWriter {
  const name = ctx.ids.uuid()
  const listeners = new Set<(committed: Committed) => void>()
  const cache = createRoomCache(ctx.market.serverDid)
  const writeMetrics = createWriteMetrics()
  const concurrency = createWriteConcurrency(scheduleWrite, ctx.ports.writer.busyPolling)
  let queue: PendingPost[] = []
  let writes = 0
  let isScheduled = false
  /** Rooms of the current writes. New posts for them wait for the next batch. */
  const roomsInFlight = new Set<string>()
  /** Rooms that another transaction had locked. Each has its own queue, so that it does not block other rooms. */
  const contended = new Map<string, PendingPost[]>()
  const contendedQueue: string[] = []
  let contendedWrites = 0
  /** Increases when the database connection is lost. Posts of an earlier epoch are rejected, so that later posts cannot overtake them. */
  let epoch = 0
  const senderQueue = createPerSenderQueue<ValidatedPost>()
  const router = createRoomRouter(
    (groupId) => roomsInFlight.has(groupId) || contended.has(groupId) || queue.some(({ post }) => post.groupId === groupId),
    enqueue,
  )

  // An optimistic append to a room that another process wrote to would only fail.
  ctx.ports.signals.on((signal) => {
    if (signal !== 'reconnected' && signal.topic === 'group' && signal.from !== name) cache.markStale(signal.id, signal.seq)
  })

  function enqueue(pending: PendingPost): void {
    const roomQueue = contended.get(pending.post.groupId)
    if (roomQueue) roomQueue.push(pending)
    else {
      queue.push(pending)
      scheduleWrite()
    }
  }

  function scheduleWrite(): void {
    if (isScheduled || queue.length === 0 || !concurrency.mayStartWrite(writes, queue.length)) return
    isScheduled = true
    // Posts of the same turn go into the same batch. The second `setImmediate` also collects posts that arrive on several sockets.
    setImmediate(setImmediate, () => {
      isScheduled = false
      void writeBatches()
    })
  }

  /** Takes the next batch in order. Posts of rooms in flight stay in the queue. */
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
      // Posts that arrived for these rooms in the meantime come after the busy ones.
      for (const groupId of new Set(busy.map(({ post }) => post.groupId))) {
        const isOf = ({ post }: PendingPost) => post.groupId === groupId
        contended.set(groupId, [...busy.filter(isOf), ...queue.filter(isOf)])
        queue = queue.filter((one) => !isOf(one))
        void writeContended(groupId)
      }
      for (const groupId of groupIds) roomsInFlight.delete(groupId)
      router.onLocalWritesDone(groupIds)
      // Results and deliveries leave before the next batch is prepared.
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
    for (let roomQueue = contended.get(groupId) ?? []; roomQueue.length > 0; roomQueue = contended.get(groupId) ?? []) {
      const batch = roomQueue.splice(0, maxBatchPosts)
      await writeLocked(batch, true)
    }
    contended.delete(groupId)
    router.onLocalWritesDone([groupId])
    contendedWrites--
    const next = contendedQueue.shift()
    if (next !== undefined) void writeContended(next)
  }

  /** Appends the posts whose rooms are cached, and returns those that need the locked path. */
  async function writeOptimistic(batch: readonly PendingPost[]): Promise<readonly PendingPost[]> {
    const { rooms, routes } = partitionPosts(
      ctx,
      batch.map(({ post }) => post),
      cache,
    )
    for (const [index, { completion }] of batch.entries()) {
      const route = routes[index]
      if (typeof route === 'object') completion.reject(route.rejected)
    }
    const ready = batch.filter((_, index) => routes[index] === 'append')
    const rest = batch.filter((_, index) => routes[index] === 'lock')
    if (ready.length === 0) return rest
    const posts = ready.map(({ post }) => post)
    const started = performance.now()
    const ended = concurrency.startWrite()
    const result = await appendOptimistically(ctx, posts, rooms).catch((error: unknown) => ({ error }))
    ended()
    if (!('error' in result)) {
      writeMetrics.record('optimistic', posts.length, performance.now() - started)
      cache.put(result.rooms)
      if (result.logs.length > 0) publish({ logs: result.logs })
      for (const [index, pending] of ready.entries()) complete(pending, result.outcomes[index] ?? 'busy')
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

  /**
   * Returns the posts whose rooms are locked by another transaction. If a batch fails, each post is retried alone, so that one bad post
   * cannot fail the others.
   */
  async function writeLocked(batch: readonly PendingPost[], wait: boolean, attempts = maxAttempts): Promise<PendingPost[]> {
    const posts = batch.map(({ post }) => post)
    const started = performance.now()
    const result = await appendWithLocks(ctx, posts, { wait }).catch((error: unknown) => ({ error }))
    if (!('error' in result)) {
      writeMetrics.record('locked', posts.length, performance.now() - started)
      cache.put(result.rooms)
      if (result.logs.length > 0) publish({ logs: result.logs })
      return batch.filter((pending, index) => complete(pending, result.outcomes[index] ?? 'busy') === 'busy')
    }
    const { error } = result
    if (isServerUnavailable(error)) {
      failAfterDisconnect(batch, error)
      return []
    }
    // A member left a room during the transaction. The retry reads the membership again.
    if (isStaleExpectation(error) && attempts > 1) return writeLocked(batch, wait, attempts - 1)
    if (batch.length === 1) {
      for (const { completion } of batch) completion.reject(error)
      return []
    }
    ctx.log.warn({ err: error, posts: batch.length }, 'a batch failed, and goes again one by one')
    const busy: PendingPost[] = []
    for (const one of batch) busy.push(...(await writeLocked([one], wait)))
    return busy
  }

  /** The commit may have succeeded although its answer was lost. */
  function failAfterDisconnect(batch: readonly PendingPost[], error: unknown): void {
    cache.clear()
    rejectAll(error)
    publish({ logs: null, groupIds: [...new Set(batch.map(({ post }) => post.groupId))] })
    for (const { completion } of batch) completion.reject(error)
  }

  function rejectAll(error: unknown): void {
    epoch++
    const rejected = queue
    for (const { completion } of [...rejected, ...[...contended.values()].flat()]) completion.reject(error)
    queue = []
    for (const roomQueue of contended.values()) roomQueue.length = 0
    router.rejectHeld(error)
    router.onLocalWritesDone(new Set(rejected.map(({ post }) => post.groupId)))
  }

  function publish(committed: Committed): void {
    // If it is not known whether anything was written, all processes read the log.
    ctx.ports.signals.publish(
      committed.logs ? signalsOf(committed.logs, name) : committed.groupIds.map((id) => ({ topic: 'group', id, from: name }) as const),
    )
    notifyListeners(committed)
  }

  /** For a message that a command of this process wrote. If the database notifies on commit, other processes already know. */
  const publishOwn = (committed: Committed) => (ctx.ports.signals.isTransactional ? notifyListeners(committed) : publish(committed))

  function notifyListeners(committed: Committed): void {
    for (const listener of listeners) {
      try {
        listener(committed)
      } catch (error) {
        // The message is durable. Readers that this listener missed read it from the log later.
        ctx.log.error({ err: error }, 'what was said was not passed on')
      }
    }
  }

  return {
    name,
    post(sender, validated, completion) {
      const started = epoch
      const routeInEpoch = (post: ValidatedPost) =>
        started === epoch ? router.route({ post, completion }) : completion.reject(serverUnavailable(null))
      senderQueue.enqueue(sender, validated, routeInEpoch, completion.reject)
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
    metrics: () => writeMetrics.read([...contended.values()].reduce((sum, roomQueue) => sum + roomQueue.length, queue.length)),
  }
}

const isServerUnavailable = (error: unknown) => error instanceof DomainError && error.code === 'server.unavailable'

type Writers = WeakMap<Ports['writer'], MessageWriter>
// The bundler creates several instances of this module, and the first call may be inside a transaction.
const holder = globalThis as typeof globalThis & { parleyMessageWriters?: Writers }
/** One writer for each composition of the server, so that two in one process do not share it. */
const writers: Writers = holder.parleyMessageWriters ?? new WeakMap()
holder.parleyMessageWriters = writers

/** The message writer of this process. It acts for the sender of each post, never for the actor of `ctx`. */
export function messageWriterOf(ctx: Context): MessageWriter {
  const writer = writers.get(ctx.ports.writer) ?? createMessageWriter(ctx)
  writers.set(ctx.ports.writer, writer)
  return writer
}
