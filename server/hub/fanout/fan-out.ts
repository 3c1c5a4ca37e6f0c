import type { Context } from '../../context.ts'
import type { MessageWriter } from '../../conversations/index.ts'
import { createBatchLoader } from '../../db/batch-loader.ts'
import { listHeads, readRanges, type SeqRange, type StoredMessage } from '../../delivery/index.ts'
import type { SignalSource } from '../../signals/signal.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { createInOrderDelivery } from './in-order-delivery.ts'
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

export function createFanOut(
  ctx: Context,
  writer: MessageWriter,
  listener: SignalSource,
  { all, byAgent, byGroup }: Readers,
  { replayBuffer, cluster }: { readonly replayBuffer: ReplayBuffer; readonly cluster: Cluster },
): FanOut {
  /** Heads announced by signals whose messages a peer connection should deliver. */
  const pendingHeads = new Map<string, number>()
  let graceTimer: NodeJS.Timeout | null = null

  function deliver(batch: MessageBatch): void {
    let isForAll = true
    for (const session of byGroup.get(batch.groupId) ?? []) if (!session.deliver(batch)) isForAll = false
    if (!isForAll) replayBuffer.add(batch)
  }

  function notifyReaders(groupId: string, seq?: number): void {
    for (const session of byGroup.get(groupId) ?? []) session.noteHead(groupId, seq)
  }

  const readBatched = createBatchLoader<SeqRange, StoredMessage[]>(maxRoomsPerRead, (spans) => readRanges(ctx, spans))
  const inOrder = createInOrderDelivery(
    ctx.log,
    async (span) => {
      const messages = await readBatched(span)
      writer.noteRemoteMessages(span.groupId, messages)
      return messages
    },
    deliver,
    notifyReaders,
  )

  /** After a lost signal connection, reads the heads of all groups. New messages are read once for all readers of a group. */
  async function resync(groupIds: readonly string[]): Promise<void> {
    for (let from = 0; from < groupIds.length; from += maxHeadsPerQuery) {
      const some = groupIds.slice(from, from + maxHeadsPerQuery)
      try {
        for (const { groupId, head } of await listHeads(ctx, some)) inOrder.noteHead(groupId, head)
      } catch (error) {
        ctx.log.warn(
          { event: 'fanout.read_failed', err: error, groups: some.length },
          'Readers poll their rooms because a read after a lost signal connection failed.',
        )
        for (const groupId of some) notifyReaders(groupId)
      }
    }
  }

  /** Messages committed by this process or by the owner of the room. */
  function acceptCommitted(groupId: string, first: number, bodies: readonly Buffer[]): void {
    if (byGroup.has(groupId)) inOrder.accept(groupId, first, bodies)
  }

  /** Another process wrote up to `seq`. */
  function noteRemoteHead(groupId: string, seq: number, from: string | undefined): void {
    if (!cluster.noteRemoteWrite(groupId, from)) {
      inOrder.noteHead(groupId, seq)
      return
    }
    pendingHeads.set(groupId, Math.max(seq, pendingHeads.get(groupId) ?? 0))
    graceTimer ??= setTimeout(() => {
      graceTimer = null
      const late = [...pendingHeads]
      pendingHeads.clear()
      for (const [id, upTo] of late) if (byGroup.has(id)) inOrder.noteHead(id, upTo)
    }, peerGraceMs)
  }

  cluster.onCommitted(acceptCommitted)
  const stopHearing = writer.onCommitted((committed) => {
    if (committed.logs === null) {
      for (const groupId of committed.groupIds) notifyReaders(groupId)
      return
    }
    for (const { groupId, messages } of committed.logs) {
      const [first] = messages
      if (!first) continue
      const bodies = messages.map(({ body }) => body)
      cluster.publish(groupId, first.head, bodies)
      acceptCommitted(groupId, first.head, bodies)
    }
  })
  const stopListening = listener.on((signal) => {
    if (signal === 'reconnected') {
      for (const session of all) session.refresh()
      void resync([...byGroup.keys()])
    } else if (signal.topic === 'group') {
      if (signal.from === writer.name || !byGroup.has(signal.id)) return
      if (signal.seq === undefined) notifyReaders(signal.id)
      else noteRemoteHead(signal.id, signal.seq, signal.from)
    } else if (signal.topic === 'agent') {
      const session = byAgent.get(signal.id)
      // A connection ignores the signal of its own arrival.
      if (session && signal.from !== session.connection) session.refresh()
    }
  })

  return {
    track: inOrder.track,
    untrack(groupId) {
      inOrder.untrack(groupId)
      cluster.unfollow(groupId)
    },
    notifyReaders,
    close() {
      stopListening()
      stopHearing()
      if (graceTimer) clearTimeout(graceTimer)
    },
  }
}
