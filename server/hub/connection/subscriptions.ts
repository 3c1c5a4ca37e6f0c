import type { Context } from '../../context.ts'
import { readPageForDelivery, recordDeadLetter, requireWithinHead, type StoredMessage } from '../../delivery/index.ts'
import { acceptsDeflate, deflatedFrame, deliverFrameText } from '../codec/frames.ts'
import { decideDelivery, isNewHead } from '../fanout/delivery-decision.ts'
import type { MessageBatch } from '../fanout/message-batch.ts'
import type { ConnectionContext } from './connection-types.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** Back-pressure: a reader with more unsent bytes is slow, and the log is read only as its socket drains. */
const highWaterMarkBytes = 262_144
/** Messages and bytes per read of the log. */
const [batch, batchBytes] = [100, 1_048_576]

/**
 * The subscriptions of one connection: each room has a position in the log and is delivered in order, no faster than the socket drains.
 */
export type Subscriptions = {
  /** Announces rooms that are about to be followed, so that messages in the meantime are not missed. */
  expect(roomIds: readonly string[]): void
  /**
   * Delivers from `after` on; also used to read again. `head`: the room's head at or after `expect`. The log is read only if it is
   * ahead.
   */
  follow(roomId: string, after: number, head?: number): void
  follows(roomId: string): boolean
  /** Records an ack after checking it against the log, unless the message was delivered here. @throws cursor.beyond_head */
  ack(roomId: string, seq: number, note: () => Promise<void>): Promise<void>
  /** Restarts delivery at the agent's request. @throws cursor.beyond_head */
  resubscribe(asked: { readonly room_id: string; readonly after: number }): Promise<void>
  keepOnly(roomIds: readonly string[]): void
  /** `seq`: the last message of the room, if known. */
  noteHead(roomId: string, seq?: number): void
  /**
   * Delivers a committed batch at once if the reader has all messages before it.
   * Otherwise returns false: the caller keeps the batch in the `ReplayBuffer`, and the reader catches up after this turn.
   */
  deliver(live: MessageBatch): boolean
  close(): void
}

/** A room of the reader. `after`: the last message sent to it. `hasNews`: something was written during the catch-up. */
type Subscription = { readonly roomId: string; after: number; isCatchingUp: boolean; hasNews: boolean }

type Outlet = Pick<ConnectionContext, 'socket' | 'counters' | 'replayBuffer'>

type SubscriptionsState = Outlet & {
  readonly ctx: Context
  readonly writer: WriteBuffer
  readonly slowForMs: number
  readonly isDeflated: boolean
  readonly byRoom: Map<string, Subscription>
  isClosed: boolean
}

/** `slowForMs`: how long a slow reader is tolerated. */
export function createSubscriptions(
  ctx: Context,
  { socket, counters, replayBuffer }: Outlet,
  writer: WriteBuffer,
  slowForMs: number,
): Subscriptions {
  const byRoom = new Map<string, Subscription>()
  const isDeflated = acceptsDeflate(socket)
  const state: SubscriptionsState = { ctx, socket, counters, replayBuffer, writer, slowForMs, isDeflated, byRoom, isClosed: false }
  return {
    expect(roomIds) {
      // Marked as catching up, so that any news leads to one more read.
      for (const roomId of roomIds) byRoom.set(roomId, { roomId, after: 0, isCatchingUp: true, hasNews: false })
    },
    follow: (roomId, after, head) => follow(state, roomId, after, head),
    async resubscribe({ room_id: roomId, after }) {
      if (!byRoom.has(roomId)) return
      await requireWithinHead(ctx, roomId, after)
      if (!state.isClosed && byRoom.has(roomId)) follow(state, roomId, after)
    },
    follows: (roomId) => byRoom.has(roomId),
    ack: (roomId, seq, note) => (seq <= (byRoom.get(roomId)?.after ?? 0) ? note() : requireWithinHead(ctx, roomId, seq).then(note)),
    keepOnly(roomIds) {
      for (const roomId of byRoom.keys()) if (!roomIds.includes(roomId)) byRoom.delete(roomId)
    },
    noteHead(roomId, seq) {
      const subscription = byRoom.get(roomId)
      if (subscription && isNewHead(subscription.after, seq)) startCatchUp(state, subscription)
    },
    deliver: (live) => deliver(state, live),
    close() {
      state.isClosed = true
    },
  }
}

function follow(state: SubscriptionsState, roomId: string, after: number, head?: number): void {
  const hasNews = state.byRoom.get(roomId)?.hasNews === true
  const subscription = { roomId, after, isCatchingUp: false, hasNews: false }
  state.byRoom.set(roomId, subscription)
  if (head === undefined || head > after || hasNews) startCatchUp(state, subscription)
}

function deliver(state: SubscriptionsState, live: MessageBatch): boolean {
  const { socket } = state
  const subscription = state.byRoom.get(live.roomId)
  if (!subscription || state.isClosed) return true
  const decision = decideDelivery(subscription.after, subscription.isCatchingUp, live.first, live.last)
  if (decision === 'skip') return true
  if (decision === 'catch_up' || socket.readyState !== socket.OPEN || isSlow(state)) {
    startCatchUp(state, subscription)
    return false
  }
  deliverBatch(state, subscription, live)
  return true
}

function deliverBatch(state: SubscriptionsState, subscription: Subscription, batch: MessageBatch): void {
  state.writer.writeFrames(batch.frames(state.isDeflated))
  subscription.after = batch.last
  state.counters.pushed += batch.last - batch.first + 1
}

function startCatchUp(state: SubscriptionsState, subscription: Subscription): void {
  catchUp(state, subscription).catch((error: unknown) => {
    state.ctx.log.warn({ event: 'delivery.failed', err: error, roomId: subscription.roomId }, 'The delivery of a room failed.')
    state.socket.close(1011, 'the log could not be read')
  })
}

/** Delivers from the replay buffer or the log until the reader has everything. */
async function catchUp(state: SubscriptionsState, subscription: Subscription): Promise<void> {
  if (subscription.isCatchingUp) {
    subscription.hasNews = true
    return
  }
  subscription.isCatchingUp = true
  state.counters.behind++
  // The batch is added to the replay buffer in this same turn.
  await null
  try {
    while (isActive(state, subscription)) {
      subscription.hasNews = false
      const recent = state.replayBuffer.after(subscription.roomId, subscription.after)
      if (recent) {
        await waitForDrain(state)
        if (isActive(state, subscription)) deliverBatch(state, subscription, recent)
        continue
      }
      const isAtHead = await deliverPage(state, subscription)
      // A later write sets `hasNews`, so another read would find nothing. An `await` after this check would lose such a write.
      if (isAtHead && !subscription.hasNews) return
    }
  } finally {
    state.counters.behind--
    subscription.isCatchingUp = false
  }
}

/** Reads a page of the log and delivers it. True if it reaches the head of the room. */
async function deliverPage(state: SubscriptionsState, subscription: Subscription): Promise<boolean> {
  const { roomId, after } = subscription
  // Read only up to what the replay buffer holds. A page that ended inside a buffered batch would make it unusable.
  const limit = Math.min(batch, state.replayBuffer.gapAfter(roomId, after))
  const { messages, head } = await readPageForDelivery(state.ctx, { roomId, after, limit, maxBytes: batchBytes })
  if (messages.length === 0) return true
  for (const message of messages) {
    await waitForDrain(state)
    if (!isActive(state, subscription)) return false
    await deliverStored(state, roomId, message)
    subscription.after = message.seq
    state.counters.fetched++
  }
  return subscription.after >= head
}

/** A message that cannot be sent becomes a dead letter, and delivery continues after it. */
async function deliverStored(state: SubscriptionsState, roomId: string, { seq, body }: StoredMessage): Promise<void> {
  const { ctx, socket, writer, isDeflated } = state
  try {
    const text = deliverFrameText(body)
    const deflated = isDeflated ? deflatedFrame(text) : null
    if (deflated) writer.writeFrames(deflated)
    else socket.send(text)
  } catch (error) {
    const placeholder = await recordDeadLetter(ctx, { roomId, seq, reason: `It can't be sent: ${String(error).slice(0, 200)}` })
    socket.send(deliverFrameText(placeholder.body))
  }
}

/** Waits while the reader is slow. If it stays slow it is disconnected, and resumes later at its cursor. */
async function waitForDrain(state: SubscriptionsState): Promise<void> {
  const since = Date.now()
  while (!state.isClosed && isSlow(state)) {
    if (Date.now() - since > state.slowForMs) {
      disconnectSlowReader(state)
      return
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

function disconnectSlowReader(state: SubscriptionsState): void {
  const { ctx, socket, counters, slowForMs } = state
  socket.close(4408, 'read too slowly')
  state.isClosed = true
  counters.slow++
  ctx.log.info({ event: 'connection.slow_reader_closed', slowForMs }, 'The hub closed the connection of a slow reader.')
}

const isSlow = ({ socket }: SubscriptionsState): boolean => socket.bufferedAmount > highWaterMarkBytes

/** Whether this subscription still delivers. `follow` replaces it by one that delivers from its own position. */
const isActive = ({ isClosed, byRoom }: SubscriptionsState, subscription: Subscription): boolean =>
  !isClosed && byRoom.get(subscription.roomId) === subscription
