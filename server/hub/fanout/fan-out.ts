import type { Context } from '../../context.ts'
import type { Committed, MessageWriter } from '../../conversations/index.ts'
import { createBatchLoader } from '../../db/batch-loader.ts'
import { listHeads, readRanges, type SeqRange, type StoredMessage } from '../../delivery/index.ts'
import type { Signal, SignalSource } from '../../signals/signal.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { createInOrderDelivery, type InOrderDelivery } from './in-order-delivery.ts'
import type { MessageBatch } from './message-batch.ts'
import type { ReplayBuffer } from './replay-buffer.ts'

/** Groups per query for messages of other processes. */
const maxRoomsPerRead = 64
/** Groups per query for heads. */
const maxHeadsPerQuery = 5_000
/** A peer connection delivers messages that a signal also announces. The log is read only if they are later than this. */
const peerGraceMs = 40

/** Fans committed messages out to the readers of this hub, whichever process wrote them. */
export type FanOut = {
  /** The group has a reader on this hub, which has or reads all messages up to `head`. */
  track(groupId: string, head: number): void
  /** The group has no readers on this hub any more. */
  untrack(groupId: string): void
  /** Tells the readers of a group to catch up to `seq`. */
  notifyReaders(groupId: string, seq?: number): void
  close(): void
}

/** A connection as the fan-out sees it. */
export type Subscriber = {
  readonly connection: string
  /** The group may have new messages; with `seq`, only if it is beyond that. */
  noteHead(groupId: string, seq?: number): void
  /** Delivers a committed batch. False if the reader is behind and catches up later. */
  deliver(live: MessageBatch): boolean
  /** The agent's rooms or its current connection may have changed. */
  refresh(): void
}

type Readers = {
  readonly all: Iterable<Subscriber>
  readonly byAgent: ReadonlyMap<string, Subscriber>
  readonly byGroup: ReadonlyMap<string, ReadonlySet<Subscriber>>
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
  const readBatched = createBatchLoader<SeqRange, StoredMessage[]>(maxRoomsPerRead, (ranges) => readRanges(ctx, ranges))
  const inOrder = createInOrderDelivery({
    log: ctx.log,
    async read(range) {
      const messages = await readBatched(range)
      writer.noteRemoteMessages(range.groupId, messages)
      return messages
    },
    deliver: (batch) => deliver(parts, batch),
    notifyReaders: (groupId, seq) => notifyReaders(readers, groupId, seq),
  })
  const state: FanOutState = { ...parts, inOrder, pendingHeads: new Map(), graceTimer: null }
  cluster.onCommitted((groupId, first, bodies) => acceptCommitted(state, groupId, first, bodies))
  const stopHearing = writer.onCommitted((committed) => publishCommitted(state, committed))
  const stopListening = listener.on((signal) => handleSignal(state, signal))
  return {
    track: inOrder.track,
    untrack(groupId) {
      inOrder.untrack(groupId)
      cluster.unfollow(groupId)
    },
    notifyReaders: (groupId, seq) => notifyReaders(readers, groupId, seq),
    close() {
      stopListening()
      stopHearing()
      if (state.graceTimer) clearTimeout(state.graceTimer)
    },
  }
}

function deliver({ readers, replayBuffer }: FanOutParts, batch: MessageBatch): void {
  let isForAll = true
  for (const subscriber of readers.byGroup.get(batch.groupId) ?? []) if (!subscriber.deliver(batch)) isForAll = false
  if (!isForAll) replayBuffer.add(batch)
}

function notifyReaders({ byGroup }: Readers, groupId: string, seq?: number): void {
  for (const subscriber of byGroup.get(groupId) ?? []) subscriber.noteHead(groupId, seq)
}

/** This process committed messages. */
function publishCommitted(state: FanOutState, committed: Committed): void {
  if (committed.logs === null) {
    for (const groupId of committed.groupIds) notifyReaders(state.readers, groupId)
    return
  }
  for (const { groupId, messages } of committed.logs) {
    const [first] = messages
    if (!first) continue
    const bodies = messages.map(({ body }) => body)
    state.cluster.publish(groupId, first.head, bodies)
    acceptCommitted(state, groupId, first.head, bodies)
  }
}

/** Messages committed by this process or by the owner of the room. */
function acceptCommitted({ readers, inOrder }: FanOutState, groupId: string, first: number, bodies: readonly Buffer[]): void {
  if (readers.byGroup.has(groupId)) inOrder.accept(groupId, first, bodies)
}

function handleSignal(state: FanOutState, signal: Signal | 'reconnected'): void {
  const { readers, writer } = state
  if (signal === 'reconnected') {
    for (const subscriber of readers.all) subscriber.refresh()
    void resync(state, [...readers.byGroup.keys()])
  } else if (signal.topic === 'group') {
    if (signal.from === writer.name || !readers.byGroup.has(signal.id)) return
    if (signal.seq === undefined) notifyReaders(readers, signal.id)
    else noteRemoteHead(state, signal.id, signal.seq, signal.from)
  } else if (signal.topic === 'agent') {
    const subscriber = readers.byAgent.get(signal.id)
    // A connection ignores the signal of its own arrival.
    if (subscriber && signal.from !== subscriber.connection) subscriber.refresh()
  }
}

/** Another process wrote up to `seq`. */
function noteRemoteHead(state: FanOutState, groupId: string, seq: number, from: string | undefined): void {
  const { cluster, inOrder, pendingHeads } = state
  if (!cluster.noteRemoteWrite(groupId, from)) {
    inOrder.noteHead(groupId, seq)
    return
  }
  pendingHeads.set(groupId, Math.max(seq, pendingHeads.get(groupId) ?? 0))
  state.graceTimer ??= setTimeout(() => readLateMessages(state), peerGraceMs)
}

/** The peer connections had their time. What they have not delivered is read from the log. */
function readLateMessages(state: FanOutState): void {
  const { readers, inOrder, pendingHeads } = state
  state.graceTimer = null
  const late = [...pendingHeads]
  pendingHeads.clear()
  for (const [groupId, head] of late) if (readers.byGroup.has(groupId)) inOrder.noteHead(groupId, head)
}

/** After a lost signal connection, reads the heads of all groups. New messages are read once for all readers of a group. */
async function resync({ ctx, readers, inOrder }: FanOutState, groupIds: readonly string[]): Promise<void> {
  for (let from = 0; from < groupIds.length; from += maxHeadsPerQuery) {
    const some = groupIds.slice(from, from + maxHeadsPerQuery)
    try {
      for (const { groupId, head } of await listHeads(ctx, some)) inOrder.noteHead(groupId, head)
    } catch (error) {
      ctx.log.warn(
        { event: 'fanout.read_failed', err: error, groups: some.length },
        'Readers poll their rooms because a read after a lost signal connection failed.',
      )
      for (const groupId of some) notifyReaders(readers, groupId)
    }
  }
}
