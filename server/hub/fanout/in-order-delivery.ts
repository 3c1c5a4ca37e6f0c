import type { SeqRange, StoredMessage } from '../../delivery/index.ts'
import type { Log } from '../../log.ts'
import type { MessageBatch } from './message-batch.ts'
import { createMessageBatch } from './message-batch.ts'

/**
 * Delivers the messages of each room to all its readers, once and in order.
 * It reorders messages that arrive early, and fills gaps from the log. A reader that is further behind reads the log itself.
 */
export type InOrderDelivery = {
  /** The room has a reader on this hub, which has or reads all messages up to `head`. */
  track(roomId: string, head: number): void
  /** The room ends at `seq`. */
  noteHead(roomId: string, seq: number): void
  /** Messages that were just committed, starting at `first`. They are delivered at once, or after the messages before them. */
  accept(roomId: string, first: number, bodies: readonly Buffer[]): void
  /** The room has no readers on this hub any more. */
  untrack(roomId: string): void
}

/** Consecutive messages. */
type MessageRun = { readonly first: number; readonly last: number; readonly bodies: readonly Buffer[] }

/** `delivered`: the last message given to readers. `knownHead`: the last one known to exist. `buffered`: messages after a gap. */
type RoomProgress = {
  readonly roomId: string
  delivered: number
  knownHead: number
  isReading: boolean
  buffered: MessageRun[]
  bufferedBytes: number
}

/** Messages per read of the log. */
const batch = 100
/** Messages beyond this limit are read from the log later. */
const maxBufferedBytes = 1_048_576

type DeliveryPorts = {
  readonly log: Log
  /** Reads a range of the log. */
  readonly read: (range: SeqRange) => Promise<readonly StoredMessage[]>
  /** Gives a batch to all readers. */
  readonly deliver: (live: MessageBatch) => void
  /** Readers catch up themselves. */
  readonly notifyReaders: (roomId: string, seq: number) => void
}

type DeliveryState = DeliveryPorts & { readonly rooms: Map<string, RoomProgress> }

export function createInOrderDelivery(ports: DeliveryPorts): InOrderDelivery {
  const rooms = new Map<string, RoomProgress>()
  const state: DeliveryState = { ...ports, rooms }
  return {
    track(roomId, head) {
      if (!rooms.has(roomId)) startAt(state, roomId, head)
    },
    noteHead: (roomId, seq) => noteHead(state, roomId, seq),
    accept: (roomId, first, bodies) => accept(state, roomId, first, bodies),
    untrack: (roomId) => void rooms.delete(roomId),
  }
}

function startAt({ rooms }: DeliveryState, roomId: string, delivered: number): RoomProgress {
  const progress = { roomId, delivered, knownHead: delivered, isReading: false, buffered: [], bufferedBytes: 0 }
  rooms.set(roomId, progress)
  return progress
}

function noteHead(state: DeliveryState, roomId: string, seq: number): void {
  const progress = state.rooms.get(roomId)
  if (!progress) {
    startAt(state, roomId, seq)
    state.notifyReaders(roomId, seq)
    return
  }
  if (seq <= progress.knownHead) return
  progress.knownHead = seq
  if (!progress.isReading && progress.delivered < seq) void catchUp(state, progress)
}

function accept(state: DeliveryState, roomId: string, first: number, bodies: readonly Buffer[]): void {
  const last = first + bodies.length - 1
  const progress = state.rooms.get(roomId) ?? startAt(state, roomId, first - 1)
  if (last <= progress.delivered) return
  progress.knownHead = Math.max(progress.knownHead, last)
  if (progress.isReading || first > progress.delivered + 1) {
    buffer(progress, { first, last, bodies })
    if (!progress.isReading) void catchUp(state, progress)
    return
  }
  const from = progress.delivered + 1
  progress.delivered = last
  try {
    state.deliver(createMessageBatch(roomId, [from, last], first === from ? bodies : bodies.slice(from - first)))
  } catch (error) {
    // The messages are durable, and an error in one room must not affect others. Readers of this room read the log.
    state.log.error({ event: 'fanout.encode_failed', err: error, roomId }, 'A new message could not be encoded as a frame.')
    state.notifyReaders(roomId, last)
  }
}

/** Delivers up to the known head, from the buffer and the log. */
async function catchUp(state: DeliveryState, progress: RoomProgress): Promise<void> {
  const { roomId } = progress
  progress.isReading = true
  // Signals arrive in bursts, so one read covers all signals of this turn.
  await null
  try {
    while (progress.delivered < progress.knownHead) {
      const next = progress.buffered[0]
      if (next && next.first <= progress.delivered + 1) {
        releaseBuffered(state, progress, next)
        continue
      }
      const messages = await state.read(nextRange(progress, next))
      if (messages.length === 0) break
      deliverStored(state, progress, messages)
    }
  } catch (error) {
    state.log.debug(
      { event: 'fanout.gap_fill_failed', err: error, roomId },
      'Messages of another process were not read. Subscriptions read them.',
    )
    progress.delivered = Math.max(progress.delivered, progress.knownHead)
    state.notifyReaders(roomId, progress.knownHead)
  } finally {
    progress.isReading = false
    progress.buffered = []
    progress.bufferedBytes = 0
  }
}

/** What to read now: not beyond the known head, one read, or the next buffered messages. */
function nextRange({ roomId, delivered, knownHead }: RoomProgress, next: MessageRun | undefined): SeqRange {
  return { roomId, after: delivered, upTo: Math.min(knownHead, delivered + batch, next ? next.first - 1 : knownHead) }
}

function deliverStored(state: DeliveryState, progress: RoomProgress, messages: readonly StoredMessage[]): void {
  const [first, last] = [messages[0], messages.at(-1)]
  if (!first || !last) return
  progress.delivered = last.seq
  const bodies = messages.map(({ body }) => Buffer.from(body))
  state.deliver(createMessageBatch(progress.roomId, [first.seq, last.seq], bodies))
}

/** Delivers the next buffered run. Part of it may have been read from the log. */
function releaseBuffered(state: DeliveryState, progress: RoomProgress, { first, last, bodies }: MessageRun): void {
  progress.buffered.shift()
  progress.bufferedBytes -= sizeOf(bodies)
  const from = progress.delivered + 1
  if (last < from) return
  progress.delivered = last
  state.deliver(createMessageBatch(progress.roomId, [from, last], bodies.slice(from - first)))
}

function buffer(progress: RoomProgress, run: MessageRun): void {
  const bytes = sizeOf(run.bodies)
  const behind = progress.buffered.at(-1)?.last ?? 0
  if (run.first <= behind || progress.bufferedBytes + bytes > maxBufferedBytes) return
  progress.buffered.push(run)
  progress.bufferedBytes += bytes
}

const sizeOf = (bodies: readonly Buffer[]) => bodies.reduce((sum, { length }) => sum + length, 0)
