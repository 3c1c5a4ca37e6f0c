import type { Context } from '../../context.ts'
import { isStaleExpectation } from '../../db.ts'
import { type LogBatch, type SequencedMessage, signalsOf } from '../../delivery/index.ts'
import { DomainError, serverUnavailable } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import { appendOptimistically, partitionPosts } from './append-optimistically.ts'
import { appendWithLocks } from './append-with-locks.ts'
import { batchSize, maxBatchPosts } from './flow-control/batch-size.ts'
import { createPerSenderQueue } from './flow-control/per-sender-queue.ts'
import { createWriteConcurrency } from './flow-control/write-concurrency.ts'
import { createMessageWriteMetrics, type MessageWriteMetrics } from './message-write-metrics.ts'
import { type Completion, complete, type PostResult } from './post-result.ts'
import { createRoomCache, type RemoteMessage, type RoomCache } from './room-cache.ts'
import { createRoomWriterRouter, type PeerRouting, type PendingPost, type RoomRouter } from './room-writer-router.ts'
import type { RoomSnapshot } from './sequence-messages.ts'
import type { ValidatedPost } from './validate-post.ts'

/** Messages that this process committed. `logs` is null if these rooms may have changed and it is not known how. */
export type Committed = { readonly logs: readonly LogBatch[] } | { readonly logs: null; readonly roomIds: readonly string[] }

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
  noteRemoteMessages(roomId: string, messages: readonly RemoteMessage[]): void
  /** A command may have written to these rooms and does not know whether it committed. */
  invalidate(roomIds: readonly string[]): void
  onCommitted(listener: (committed: Committed) => void): () => void
  metrics(): MessageWriteMetrics
}

/** Contended rooms that wait for their lock at the same time; each one holds a database connection. */
const maxContendedWrites = 4
/** Attempts of a batch whose transaction conflicts with another one. */
const maxAttempts = 5

/** The state of one message writer. */
type WriterState = {
  readonly ctx: Context
  readonly name: string
  readonly listeners: Set<(committed: Committed) => void>
  readonly cache: RoomCache
  readonly writeMetrics: ReturnType<typeof createMessageWriteMetrics>
  readonly concurrency: ReturnType<typeof createWriteConcurrency>
  readonly router: RoomRouter
  queue: PendingPost[]
  writes: number
  isScheduled: boolean
  /** Rooms of the current writes. New posts for them wait for the next batch. */
  readonly roomsInFlight: Set<string>
  /** Rooms that another transaction had locked. Each has its own queue, so that it does not block other rooms. */
  readonly contended: Map<string, PendingPost[]>
  readonly contendedQueue: string[]
  contendedWrites: number
  /** Increases when the database connection is lost. Posts of an earlier epoch are rejected, so that later posts cannot overtake them. */
  epoch: number
}

function createWriterState(ctx: Context): WriterState {
  const state: WriterState = {
    ctx,
    name: ctx.ids.uuid(),
    listeners: new Set(),
    cache: createRoomCache(ctx.market.serverDid),
    writeMetrics: createMessageWriteMetrics(),
    concurrency: createWriteConcurrency(() => scheduleWrite(state), ctx.ports.writer.busyPolling),
    router: createRoomWriterRouter(
      (roomId) => state.roomsInFlight.has(roomId) || state.contended.has(roomId) || state.queue.some(({ post }) => post.roomId === roomId),
      (pending) => enqueue(state, pending),
    ),
    queue: [],
    writes: 0,
    isScheduled: false,
    roomsInFlight: new Set(),
    contended: new Map(),
    contendedQueue: [],
    contendedWrites: 0,
    epoch: 0,
  }
  return state
}

function createMessageWriter(ctx: Context): MessageWriter {
  const state = createWriterState(ctx)
  const { name, cache, listeners, router } = state
  const senderQueue = createPerSenderQueue<ValidatedPost>()
  // An optimistic append to a room that another process wrote to would only fail.
  ctx.ports.signals.on((signal) => {
    if (signal !== 'reconnected' && signal.topic === 'room' && signal.from !== name) cache.markStale(signal.id, signal.seq)
  })
  return {
    name,
    post(sender, validated, completion) {
      const started = state.epoch
      const routeInEpoch = (post: ValidatedPost) =>
        started === state.epoch ? router.route({ post, completion }) : completion.reject(serverUnavailable(null))
      senderQueue.enqueue(sender, validated, routeInEpoch, completion.reject)
    },
    postLocally: (post, completion) => enqueue(state, { post, completion }),
    setRouting: router.setRouting,
    noteCommitted(message, room) {
      cache.noteWritten(message, room)
      publishOwn(state, { logs: [{ roomId: message.canonical.envelope.room_id, messages: [message] }] })
    },
    noteRemoteMessages: cache.applyRemote,
    invalidate(roomIds) {
      cache.evict(roomIds)
      publishOwn(state, { logs: null, roomIds })
    },
    onCommitted(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    metrics: () =>
      state.writeMetrics.read([...state.contended.values()].reduce((sum, roomQueue) => sum + roomQueue.length, state.queue.length)),
  }
}

function enqueue(state: WriterState, pending: PendingPost): void {
  const roomQueue = state.contended.get(pending.post.roomId)
  if (roomQueue) roomQueue.push(pending)
  else {
    state.queue.push(pending)
    scheduleWrite(state)
  }
}

function scheduleWrite(state: WriterState): void {
  if (state.isScheduled || state.queue.length === 0 || !state.concurrency.mayStartWrite(state.writes, state.queue.length)) return
  state.isScheduled = true
  // Posts of the same turn go into the same batch. The second `setImmediate` also collects posts that arrive on several sockets.
  setImmediate(setImmediate, () => {
    state.isScheduled = false
    void writeBatches(state)
  })
}

/** Takes the next batch in order. Posts of rooms in flight stay in the queue. */
function takeBatch(state: WriterState): PendingPost[] {
  const free = state.roomsInFlight.size === 0 ? state.queue : state.queue.filter(({ post }) => !state.roomsInFlight.has(post.roomId))
  const taken = free.slice(
    0,
    batchSize(free.length, (index) => free[index]?.post.bytes ?? 0),
  )
  if (taken.length === state.queue.length) state.queue = []
  else {
    const gone = new Set(taken)
    state.queue = state.queue.filter((one) => !gone.has(one))
  }
  return taken
}

async function writeBatches(state: WriterState): Promise<void> {
  state.writes++
  for (
    let batch = takeBatch(state);
    batch.length > 0;
    batch = state.concurrency.mayStartWrite(state.writes - 1, state.queue.length) ? takeBatch(state) : []
  ) {
    const roomIds = new Set(batch.map(({ post }) => post.roomId))
    for (const roomId of roomIds) state.roomsInFlight.add(roomId)
    const rest = await writeOptimistic(state, batch)
    const busy = rest.length > 0 ? await writeLocked(state, rest, false) : []
    // Posts that arrived for these rooms in the meantime come after the busy ones.
    for (const roomId of new Set(busy.map(({ post }) => post.roomId))) {
      const isOf = ({ post }: PendingPost) => post.roomId === roomId
      state.contended.set(roomId, [...busy.filter(isOf), ...state.queue.filter(isOf)])
      state.queue = state.queue.filter((one) => !isOf(one))
      void writeContended(state, roomId)
    }
    for (const roomId of roomIds) state.roomsInFlight.delete(roomId)
    state.router.onLocalWritesDone(roomIds)
    // Results and deliveries leave before the next batch is prepared.
    await new Promise(process.nextTick)
  }
  state.writes--
}

async function writeContended(state: WriterState, roomId: string): Promise<void> {
  if (state.contendedWrites >= maxContendedWrites) {
    state.contendedQueue.push(roomId)
    return
  }
  state.contendedWrites++
  for (let roomQueue = state.contended.get(roomId) ?? []; roomQueue.length > 0; roomQueue = state.contended.get(roomId) ?? []) {
    const batch = roomQueue.splice(0, maxBatchPosts)
    await writeLocked(state, batch, true)
  }
  state.contended.delete(roomId)
  state.router.onLocalWritesDone([roomId])
  state.contendedWrites--
  const next = state.contendedQueue.shift()
  if (next !== undefined) void writeContended(state, next)
}

/** Appends the posts whose rooms are cached, and returns those that need the locked path. */
async function writeOptimistic(state: WriterState, batch: readonly PendingPost[]): Promise<readonly PendingPost[]> {
  const { rooms, routes } = partitionPosts(
    state.ctx,
    batch.map(({ post }) => post),
    state.cache,
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
  const ended = state.concurrency.startWrite()
  const result = await appendOptimistically(state.ctx, posts, rooms).catch((error: unknown) => ({ error }))
  ended()
  if (!('error' in result)) {
    state.writeMetrics.record('optimistic', posts.length, performance.now() - started)
    state.cache.put(result.rooms)
    if (result.logs.length > 0) publish(state, { logs: result.logs })
    for (const [index, pending] of ready.entries()) complete(pending, result.outcomes[index] ?? 'busy')
    return rest
  }
  const { error } = result
  if (isServerUnavailable(error)) {
    failAfterDisconnect(state, batch, error)
    return []
  }
  state.ctx.log.debug(
    { event: 'message.batch_stale', err: error, posts: posts.length },
    'Cached rooms were stale, so the batch takes the locked path.',
  )
  state.cache.evictContended(rooms.keys())
  return batch.filter((_, index) => typeof routes[index] !== 'object')
}

/**
 * Returns the posts whose rooms are locked by another transaction. If a batch fails, each post is retried alone, so that one bad post
 * cannot fail the others.
 */
async function writeLocked(
  state: WriterState,
  batch: readonly PendingPost[],
  wait: boolean,
  attempts = maxAttempts,
): Promise<PendingPost[]> {
  const posts = batch.map(({ post }) => post)
  const started = performance.now()
  const result = await appendWithLocks(state.ctx, posts, { wait }).catch((error: unknown) => ({ error }))
  if (!('error' in result)) {
    state.writeMetrics.record('locked', posts.length, performance.now() - started)
    state.cache.put(result.rooms)
    if (result.logs.length > 0) publish(state, { logs: result.logs })
    return batch.filter((pending, index) => complete(pending, result.outcomes[index] ?? 'busy') === 'busy')
  }
  const { error } = result
  if (isServerUnavailable(error)) {
    failAfterDisconnect(state, batch, error)
    return []
  }
  // A member left a room during the transaction. The retry reads the membership again.
  if (isStaleExpectation(error) && attempts > 1) return writeLocked(state, batch, wait, attempts - 1)
  if (batch.length === 1) {
    for (const { completion } of batch) completion.reject(error)
    return []
  }
  state.ctx.log.warn({ event: 'message.batch_failed', err: error, posts: batch.length }, 'A batch failed, so each post is retried alone.')
  const busy: PendingPost[] = []
  for (const one of batch) busy.push(...(await writeLocked(state, [one], wait)))
  return busy
}

/** The commit may have succeeded although its answer was lost. */
function failAfterDisconnect(state: WriterState, batch: readonly PendingPost[], error: unknown): void {
  state.cache.clear()
  rejectAll(state, error)
  publish(state, { logs: null, roomIds: [...new Set(batch.map(({ post }) => post.roomId))] })
  for (const { completion } of batch) completion.reject(error)
}

function rejectAll(state: WriterState, error: unknown): void {
  state.epoch++
  const rejected = state.queue
  for (const { completion } of [...rejected, ...[...state.contended.values()].flat()]) completion.reject(error)
  state.queue = []
  for (const roomQueue of state.contended.values()) roomQueue.length = 0
  state.router.rejectHeld(error)
  state.router.onLocalWritesDone(new Set(rejected.map(({ post }) => post.roomId)))
}

function publish(state: WriterState, committed: Committed): void {
  // If it is not known whether anything was written, all processes read the log.
  state.ctx.ports.signals.publish(
    committed.logs
      ? signalsOf(committed.logs, state.name)
      : committed.roomIds.map((id) => ({ topic: 'room', id, from: state.name }) as const),
  )
  notifyListeners(state, committed)
}

/** For a message that a command of this process wrote. If the database notifies on commit, other processes already know. */
function publishOwn(state: WriterState, committed: Committed): void {
  if (state.ctx.ports.signals.isTransactional) notifyListeners(state, committed)
  else publish(state, committed)
}

function notifyListeners(state: WriterState, committed: Committed): void {
  for (const listener of state.listeners) {
    try {
      listener(committed)
    } catch (error) {
      // The message is durable. Readers that this listener missed read it from the log later.
      state.ctx.log.error({ event: 'message.listener_failed', err: error }, 'A listener failed on committed messages.')
    }
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
export function groupCommitWriterOf(ctx: Context): MessageWriter {
  const writer = writers.get(ctx.ports.writer) ?? createMessageWriter(ctx)
  writers.set(ctx.ports.writer, writer)
  return writer
}
