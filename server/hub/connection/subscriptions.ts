import type { Context } from '../../context.ts'
import { deadLetter, readPageForDelivery, requireWithinHead } from '../../delivery/index.ts'
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
 * The subscriptions of one connection: each group has a position in the log and is delivered in order, no faster than the socket drains.
 */
export type Subscriptions = {
  /** Announces groups that are about to be followed, so that messages in the meantime are not missed. */
  expect(groupIds: readonly string[]): void
  /**
   * Delivers from `after` on; also used to read again. `head`: the group's head at or after `expect`. The log is read only if it is
   * ahead.
   */
  follow(groupId: string, after: number, head?: number): void
  follows(groupId: string): boolean
  /** Records an ack after checking it against the log, unless the message was delivered here. @throws cursor.beyond_head */
  ack(groupId: string, seq: number, note: () => Promise<void>): Promise<void>
  /** Restarts delivery at the agent's request. @throws cursor.beyond_head */
  resubscribe(asked: { readonly group_id: string; readonly after: number }): Promise<void>
  keepOnly(groupIds: readonly string[]): void
  /** `seq`: the last message of the group, if known. */
  noteHead(groupId: string, seq?: number): void
  /**
   * Delivers a committed batch at once if the reader has all messages before it.
   * Otherwise returns false: the caller keeps the batch in the `ReplayBuffer`, and the reader catches up after this turn.
   */
  deliver(live: MessageBatch): boolean
  close(): void
}

type Subscription = { after: number; isCatchingUp: boolean; hasNews: boolean }

/** `slowForMs`: how long a slow reader is tolerated. */
export function createSubscriptions(
  ctx: Context,
  { socket, counters, replayBuffer }: Pick<ConnectionContext, 'socket' | 'counters' | 'replayBuffer'>,
  writer: WriteBuffer,
  slowForMs: number,
): Subscriptions {
  const subscriptions = new Map<string, Subscription>()
  let isClosed = false
  const isDeflated = acceptsDeflate(socket)

  async function catchUp(groupId: string, subscription: Subscription): Promise<void> {
    if (subscription.isCatchingUp) {
      subscription.hasNews = true
      return
    }
    subscription.isCatchingUp = true
    counters.behind++
    // The batch is added to the replay buffer in this same turn.
    await null
    try {
      for (;;) {
        subscription.hasNews = false
        const recent = !isClosed && subscriptions.get(groupId) === subscription ? replayBuffer.after(groupId, subscription.after) : null
        if (recent) {
          await waitForDrain()
          if (!isClosed && subscriptions.get(groupId) === subscription) deliverBatch(recent, subscription)
          continue
        }
        const from = subscription.after
        // Read only up to what the replay buffer holds. A page that ended inside a buffered batch would make it unusable.
        const limit = Math.min(batch, replayBuffer.gapAfter(groupId, from))
        if (isClosed || subscriptions.get(groupId) !== subscription) return
        const { messages, head } = await readPageForDelivery(ctx, { groupId, after: from, limit, maxBytes: batchBytes })
        if (messages.length === 0 && !subscription.hasNews) return
        for (const message of messages) {
          await waitForDrain()
          // `follow` replaced the subscription, and the new one delivers from its own position.
          if (isClosed || subscriptions.get(groupId) !== subscription) break
          await deliverStored(groupId, message)
          subscription.after = message.seq
          counters.fetched++
        }
        // A later write sets `hasNews`, so another read would find nothing.
        if (subscription.after >= head && !subscription.hasNews && subscriptions.get(groupId) === subscription) return
      }
    } finally {
      counters.behind--
      subscription.isCatchingUp = false
    }
  }

  function deliverBatch(batch: MessageBatch, subscription: Subscription): void {
    writer.writeFrames(batch.frames(isDeflated))
    subscription.after = batch.last
    counters.pushed += batch.last - batch.first + 1
  }

  /** A message that cannot be sent becomes a dead letter, and delivery continues after it. */
  async function deliverStored(groupId: string, { seq, body }: { seq: number; body: string }): Promise<void> {
    try {
      const text = deliverFrameText(body)
      const squeezed = isDeflated ? deflatedFrame(text) : null
      if (squeezed) writer.writeFrames(squeezed)
      else socket.send(text)
    } catch (error) {
      const placeholder = await deadLetter(ctx, { groupId, seq, why: `It can't be sent: ${String(error).slice(0, 200)}` })
      socket.send(deliverFrameText(placeholder.body))
    }
  }

  /** Waits while the reader is slow. If it stays slow it is disconnected, and resumes later at its cursor. */
  async function waitForDrain(): Promise<void> {
    const since = Date.now()
    while (!isClosed && socket.bufferedAmount > highWaterMarkBytes) {
      if (Date.now() - since > slowForMs) {
        socket.close(4408, 'read too slowly')
        isClosed = true
        counters.slow++
        ctx.log.info({ event: 'connection.slow_reader_closed', slowForMs }, 'The hub closed the connection of a slow reader.')
        return
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
  }

  function startCatchUp(groupId: string, subscription: Subscription): void {
    catchUp(groupId, subscription).catch((error: unknown) => {
      ctx.log.warn({ event: 'delivery.failed', err: error, groupId }, 'The delivery of a room failed.')
      socket.close(1011, 'the log could not be read')
    })
  }

  function follow(groupId: string, after: number, head?: number): void {
    const hasNews = subscriptions.get(groupId)?.hasNews === true
    const place = { after, isCatchingUp: false, hasNews: false }
    subscriptions.set(groupId, place)
    if (head === undefined || head > after || hasNews) startCatchUp(groupId, place)
  }

  return {
    expect(groupIds) {
      // Marked as catching up, so that any news leads to one more read.
      for (const groupId of groupIds) subscriptions.set(groupId, { after: 0, isCatchingUp: true, hasNews: false })
    },
    follow,
    async resubscribe({ group_id: groupId, after }) {
      if (!subscriptions.has(groupId)) return
      await requireWithinHead(ctx, groupId, after)
      if (isClosed || !subscriptions.has(groupId)) return
      follow(groupId, after)
    },
    follows: (groupId) => subscriptions.has(groupId),
    ack: (groupId, seq, note) =>
      seq <= (subscriptions.get(groupId)?.after ?? 0) ? note() : requireWithinHead(ctx, groupId, seq).then(note),
    keepOnly(groupIds) {
      for (const groupId of subscriptions.keys()) if (!groupIds.includes(groupId)) subscriptions.delete(groupId)
    },
    noteHead(groupId, seq) {
      const place = subscriptions.get(groupId)
      if (place && isNewHead(place.after, seq)) startCatchUp(groupId, place)
    },
    deliver(live) {
      const { groupId, first, last } = live
      const place = subscriptions.get(groupId)
      if (!place || isClosed) return true
      const way = decideDelivery(place.after, place.isCatchingUp, first, last)
      if (way === 'skip') return true
      if (way === 'catch_up' || socket.readyState !== socket.OPEN || socket.bufferedAmount > highWaterMarkBytes) {
        startCatchUp(groupId, place)
        return false
      }
      deliverBatch(live, place)
      return true
    },
    close() {
      isClosed = true
    },
  }
}
