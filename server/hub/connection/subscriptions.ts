import type { Context } from '../../context.ts'
import { deadLetter, readPageForDelivery, requireWithinHead } from '../../delivery/index.ts'
import { acceptsDeflate, deflatedFrame, deliverFrameText } from '../codec/frames.ts'
import { decideDelivery, isNewHead } from '../fanout/delivery-decision.ts'
import type { MessageBatch } from '../fanout/message-batch.ts'
import type { ConnectionContext } from './connection-types.ts'
import type { PackedConnection } from './packed-connection.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** Bytes that may wait in a socket before its reader counts as slow; then the log is read on only as it drains. */
const highWaterMarkBytes = 262_144
/** Of one reading of the log. */
const [batch, batchBytes] = [100, 1_048_576]

/** What one connection reads: each group from its own place in the log, in order, never ahead of what the socket takes. */
export type Subscriptions = {
  /** These are to be followed soon: what is said in them meanwhile is not passed over. */
  expect(groupIds: readonly string[]): void
  /**
   * Deliver from `after` on; also to go back and read again. `head`: where the group ended since it was expected; the log is
   * not read where nothing follows.
   */
  follow(groupId: string, after: number, head?: number): void
  follows(groupId: string): boolean
  /** Has an ack noted, where the group goes as far as that: what was not given here is asked of the log. @throws cursor.beyond_head */
  ack(groupId: string, seq: number, note: () => Promise<void>): Promise<void>
  /** The agent asks for a group again. `begins`: just before the first comes. @throws cursor.beyond_head */
  resubscribe(asked: { readonly group_id: string; readonly after: number }, begins: () => void): Promise<void>
  keepOnly(groupIds: readonly string[]): void
  /** `seq`: the group's last message, where that is known. */
  noteHead(groupId: string, seq?: number): void
  /**
   * Just committed: whoever has everything before it gets it at once, all others in their time. False for these, for whom it is
   * to be kept for a moment (`Recent`); they look for it after this turn.
   */
  deliver(live: MessageBatch): boolean
  close(): void
}

type Subscription = { after: number; isCatchingUp: boolean; hasNews: boolean }

/** `packed`: of a connection whose frames are. `slowForMs`: how long a reader may take no byte before it is cut off. */
export function createSubscriptions(
  ctx: Context,
  { socket, counters, replayBuffer }: Pick<ConnectionContext, 'socket' | 'counters' | 'replayBuffer'>,
  writer: WriteBuffer,
  packed: PackedConnection | null,
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
    // What it is late for is kept in this same turn.
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
        // No further than to what is kept in memory: whoever ends in the middle of that would have to read all of it.
        const limit = Math.min(batch, replayBuffer.gapAfter(groupId, from))
        if (isClosed || subscriptions.get(groupId) !== subscription) return
        const { messages, head } = await readPageForDelivery(ctx, { groupId, after: from, limit, maxBytes: batchBytes })
        if (messages.length === 0 && !subscription.hasNews) return
        for (const message of messages) {
          await waitForDrain()
          // A `follow` that went elsewhere meanwhile reads from there; what is left of this batch is not its business.
          if (isClosed || subscriptions.get(groupId) !== subscription) break
          await deliverStored(groupId, message)
          subscription.after = message.seq
          counters.fetched++
        }
        // What is written from now on wakes us; asking again would only find that nothing is there.
        if (subscription.after >= head && !subscription.hasNews && subscriptions.get(groupId) === subscription) return
      }
    } finally {
      counters.behind--
      subscription.isCatchingUp = false
    }
  }

  function deliverBatch(batch: MessageBatch, subscription: Subscription): void {
    if (packed) packed.deliver(batch.packed())
    else writer.writeFrames(batch.frames(isDeflated))
    subscription.after = batch.last
    counters.pushed += batch.last - batch.first + 1
  }

  /** Whatever is wrong with one message, the reader goes on behind it. */
  async function deliverStored(groupId: string, { seq, body }: { seq: number; body: string }): Promise<void> {
    try {
      if (packed) return packed.deliverStored(groupId, body)
      const text = deliverFrameText(body)
      const squeezed = isDeflated ? deflatedFrame(text) : null
      if (squeezed) writer.writeFrames(squeezed)
      else socket.send(text)
    } catch (error) {
      const placeholder = await deadLetter(ctx, { groupId, seq, why: `It can't be sent: ${String(error).slice(0, 200)}` })
      socket.send(deliverFrameText(placeholder.body))
    }
  }

  /** Waits while the reader is slow; one that stays slow is cut off and resumes by its cursor. */
  async function waitForDrain(): Promise<void> {
    const since = Date.now()
    while (!isClosed && socket.bufferedAmount > highWaterMarkBytes) {
      if (Date.now() - since > slowForMs) {
        socket.close(4408, 'read too slowly')
        isClosed = true
        counters.slow++
        ctx.log.info({ slowForMs }, 'a slow reader is cut off')
        return
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
  }

  function startCatchUp(groupId: string, subscription: Subscription): void {
    catchUp(groupId, subscription).catch((error: unknown) => {
      ctx.log.warn({ err: error, groupId }, 'a delivery broke off')
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
      // As one that is being read to: whatever comes makes that it is read once more.
      for (const groupId of groupIds) subscriptions.set(groupId, { after: 0, isCatchingUp: true, hasNews: false })
    },
    follow,
    async resubscribe({ group_id: groupId, after }, begins) {
      if (!subscriptions.has(groupId)) return
      await requireWithinHead(ctx, groupId, after)
      if (isClosed || !subscriptions.has(groupId)) return
      begins()
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
