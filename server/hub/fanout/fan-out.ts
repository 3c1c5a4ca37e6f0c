import type { Context } from '../../context.ts'
import type { Committed, MessageWriter } from '../../conversations/index.ts'
import { createBatchLoader } from '../../db/batch-loader.ts'
import { listHeads, readMessageRanges, type SeqRange, type StoredMessage } from '../../delivery/index.ts'
import type { Signal, SignalSource } from '../../signals/signal.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { createInOrderDelivery, type InOrderDelivery } from './in-order-delivery.ts'
import type { MessageBatch } from './message-batch.ts'
import type { ReplayBuffer } from './replay-buffer.ts'

/** Rooms per query for messages of other processes. */
const maxRoomsPerRead = 64
/** Rooms per query for heads. */
const maxHeadsPerQuery = 5_000
/** A peer connection delivers messages that a signal also announces. The log is read only if they are later than this. */
const peerGraceMs = 40

/** Fans committed messages out to the readers of this hub, whichever process wrote them. */
export type FanOut = {
  /** The room has a reader on this hub, which has or reads all messages up to `head`. */
  track(roomId: string, head: number): void
  /** The room has no readers on this hub any more. */
  untrack(roomId: string): void
  /** Makes the readers of a room catch up to `seq`. */
  notifyReaders(roomId: string, seq?: number): void
  close(): void
}

/** A connection as the fan-out sees it. */
export type Subscriber = {
  readonly connection: string
  /** The room may have new messages; with `seq`, only if it is beyond that. */
  noteHead(roomId: string, seq?: number): void
  /** Delivers a committed batch. False if the reader is behind and catches up later. */
  deliver(live: MessageBatch): boolean
  /** The agent's rooms or its current connection may have changed. */
  refresh(): void
}

type Readers = {
  readonly all: Iterable<Subscriber>
  readonly byAgent: ReadonlyMap<string, Subscriber>
  readonly byRoom: ReadonlyMap<string, ReadonlySet<Subscriber>>
}

type FanOutParts = {
  readonly ctx: Context
  readonly writer: MessageWriter
  readonly listener: SignalSource
  readonly readers: Readers
  readonly replayBuffer: ReplayBuffer
  readonly cluster: Cluster
}

type FanOutState = FanOutParts & {
  readonly inOrder: InOrderDelivery
  /** Heads announced by signals whose messages a peer connection should deliver. */
  readonly pendingHeads: Map<string, number>
  graceTimer: NodeJS.Timeout | null
}

export function createFanOut(parts: FanOutParts): FanOut {
  const { ctx, writer, listener, readers, cluster } = parts
  const readBatched = createBatchLoader<SeqRange, StoredMessage[]>(maxRoomsPerRead, (ranges) => readMessageRanges(ctx, ranges))
  const inOrder = createInOrderDelivery({
    log: ctx.log,
    async read(range) {
      const messages = await readBatched(range)
      writer.noteRemoteMessages(range.roomId, messages)
      return messages
    },
    deliver: (batch) => deliver(parts, batch),
    notifyReaders: (roomId, seq) => notifyReaders(readers, roomId, seq),
  })
  const state: FanOutState = { ...parts, inOrder, pendingHeads: new Map(), graceTimer: null }
  cluster.onCommitted((roomId, first, bodies) => acceptCommitted(state, roomId, first, bodies))
  const stopReceiving = writer.onCommitted((committed) => publishCommitted(state, committed))
  const stopListening = listener.on((signal) => handleSignal(state, signal))
  return {
    track: inOrder.track,
    untrack(roomId) {
      inOrder.untrack(roomId)
      cluster.unfollow(roomId)
    },
    notifyReaders: (roomId, seq) => notifyReaders(readers, roomId, seq),
    close() {
      stopListening()
      stopReceiving()
      if (state.graceTimer) clearTimeout(state.graceTimer)
    },
  }
}

function deliver({ readers, replayBuffer }: FanOutParts, batch: MessageBatch): void {
  let isForAll = true
  for (const subscriber of readers.byRoom.get(batch.roomId) ?? []) if (!subscriber.deliver(batch)) isForAll = false
  if (!isForAll) replayBuffer.add(batch)
}

function notifyReaders({ byRoom }: Readers, roomId: string, seq?: number): void {
  for (const subscriber of byRoom.get(roomId) ?? []) subscriber.noteHead(roomId, seq)
}

/** This process committed messages. */
function publishCommitted(state: FanOutState, committed: Committed): void {
  if (committed.logs === null) {
    for (const roomId of committed.roomIds) notifyReaders(state.readers, roomId)
    return
  }
  for (const { roomId, messages } of committed.logs) {
    const [first] = messages
    if (!first) continue
    const bodies = messages.map(({ body }) => body)
    state.cluster.publish(roomId, first.head, bodies)
    acceptCommitted(state, roomId, first.head, bodies)
  }
}

/** Messages committed by this process or by the owner of the room. */
function acceptCommitted({ readers, inOrder }: FanOutState, roomId: string, first: number, bodies: readonly Buffer[]): void {
  if (readers.byRoom.has(roomId)) inOrder.accept(roomId, first, bodies)
}

function handleSignal(state: FanOutState, signal: Signal | 'reconnected'): void {
  const { readers, writer } = state
  if (signal === 'reconnected') {
    for (const subscriber of readers.all) subscriber.refresh()
    void resync(state, [...readers.byRoom.keys()])
  } else if (signal.topic === 'room') {
    if (signal.from === writer.name || !readers.byRoom.has(signal.id)) return
    if (signal.seq === undefined) notifyReaders(readers, signal.id)
    else noteRemoteHead(state, signal.id, signal.seq, signal.from)
  } else if (signal.topic === 'agent') {
    const subscriber = readers.byAgent.get(signal.id)
    // A connection ignores the signal of its own arrival.
    if (subscriber && signal.from !== subscriber.connection) subscriber.refresh()
  }
}

/** Another process wrote up to `seq`. */
function noteRemoteHead(state: FanOutState, roomId: string, seq: number, from: string | undefined): void {
  const { cluster, inOrder, pendingHeads } = state
  if (!cluster.noteRemoteWrite(roomId, from)) {
    inOrder.noteHead(roomId, seq)
    return
  }
  pendingHeads.set(roomId, Math.max(seq, pendingHeads.get(roomId) ?? 0))
  state.graceTimer ??= setTimeout(() => readLateMessages(state), peerGraceMs)
}

/** The peer connections had their time. What they have not delivered is read from the log. */
function readLateMessages(state: FanOutState): void {
  const { readers, inOrder, pendingHeads } = state
  state.graceTimer = null
  const late = [...pendingHeads]
  pendingHeads.clear()
  for (const [roomId, head] of late) if (readers.byRoom.has(roomId)) inOrder.noteHead(roomId, head)
}

/** After a lost signal connection, reads the heads of all rooms. New messages are read once for all readers of a room. */
async function resync({ ctx, readers, inOrder }: FanOutState, roomIds: readonly string[]): Promise<void> {
  for (let from = 0; from < roomIds.length; from += maxHeadsPerQuery) {
    const some = roomIds.slice(from, from + maxHeadsPerQuery)
    try {
      for (const { roomId, head } of await listHeads(ctx, some)) inOrder.noteHead(roomId, head)
    } catch (error) {
      ctx.log.warn(
        { event: 'fanout.read_failed', err: error, rooms: some.length },
        'Readers poll their rooms because a read after a lost signal connection failed.',
      )
      for (const roomId of some) notifyReaders(readers, roomId)
    }
  }
}
