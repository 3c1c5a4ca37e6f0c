import type { Context } from '../../context.ts'
import { quarantine, readPageForDelivery, requireWithinHead } from '../../delivery/index.ts'
import { deliverText, inflates, squeezedFrame } from '../codec/frames.ts'
import { isNews, wayTo } from '../fanout/delivery-decision.ts'
import type { LiveMessages } from '../fanout/message-batch.ts'
import type { Line } from './connection-types.ts'
import type { PackedLine } from './packed-connection.ts'
import type { Outlet } from './write-buffer.ts'

/** Bytes that may wait in a socket before its reader counts as slow; then the log is read on only as it drains. */
const highWaterBytes = 262_144
/** Of one reading of the log. */
const [batch, batchBytes] = [100, 1_048_576]

/** What one connection reads: each group from its own place in the log, in order, never ahead of what the socket takes. */
export type Feed = {
  /** These are to be followed soon: what is said in them meanwhile is not passed over. */
  expect(groupIds: readonly string[]): void
  /**
   * Deliver from `after` on; also to go back and read again. `head`: where the group ended since it was expected; the log is
   * not read where nothing follows.
   */
  follow(groupId: string, after: number, head?: number): void
  follows(groupId: string): boolean
  /** Has an ack noted, where the group goes as far as that: what was not given here is asked of the log. @throws cursor.beyond_head */
  acked(groupId: string, seq: number, note: () => Promise<void>): Promise<void>
  /** The agent asks for a group again. `begins`: just before the first comes. @throws cursor.beyond_head */
  again(asked: { readonly group_id: string; readonly after: number }, begins: () => void): Promise<void>
  keepOnly(groupIds: readonly string[]): void
  /** `seq`: the group's last message, where that is known. */
  wake(groupId: string, seq?: number): void
  /**
   * Just committed: whoever has everything before it gets it at once, all others in their time. False for these, for whom it is
   * to be kept for a moment (`Recent`); they look for it after this turn.
   */
  push(live: LiveMessages): boolean
  close(): void
}

type Place = { after: number; isPumping: boolean; isWoken: boolean }

/** `packed`: of a connection whose frames are. `slowForMs`: how long a reader may take no byte before it is cut off. */
export function createFeed(
  ctx: Context,
  { socket, tally, recent }: Pick<Line, 'socket' | 'tally' | 'recent'>,
  outlet: Outlet,
  packed: PackedLine | null,
  slowForMs: number,
): Feed {
  const places = new Map<string, Place>()
  let isClosed = false
  const isSqueezed = inflates(socket)

  async function pump(groupId: string, place: Place): Promise<void> {
    if (place.isPumping) {
      place.isWoken = true
      return
    }
    place.isPumping = true
    tally.behind++
    // What it is late for is kept in this same turn.
    await null
    try {
      for (;;) {
        place.isWoken = false
        const live = !isClosed && places.get(groupId) === place ? recent.after(groupId, place.after) : null
        if (live) {
          await drained()
          if (!isClosed && places.get(groupId) === place) give(live, place)
          continue
        }
        const from = place.after
        // No further than to what is kept in memory: whoever ends in the middle of that would have to read all of it.
        const limit = Math.min(batch, recent.gapAfter(groupId, from))
        if (isClosed || places.get(groupId) !== place) return
        const { messages, head } = await readPageForDelivery(ctx, { groupId, after: from, limit, maxBytes: batchBytes })
        if (messages.length === 0 && !place.isWoken) return
        for (const message of messages) {
          await drained()
          // A `follow` that went elsewhere meanwhile reads from there; what is left of this batch is not its business.
          if (isClosed || places.get(groupId) !== place) break
          await hand(groupId, message)
          place.after = message.seq
          tally.fetched++
        }
        // What is written from now on wakes us; asking again would only find that nothing is there.
        if (place.after >= head && !place.isWoken && places.get(groupId) === place) return
      }
    } finally {
      tally.behind--
      place.isPumping = false
    }
  }

  function give(live: LiveMessages, place: Place): void {
    if (packed) packed.deliver(live.packed())
    else outlet.frames(live.frames(isSqueezed))
    place.after = live.last
    tally.pushed += live.last - live.first + 1
  }

  /** Whatever is wrong with one message, the reader goes on behind it. */
  async function hand(groupId: string, { seq, body }: { seq: number; body: string }): Promise<void> {
    try {
      if (packed) return packed.hand(groupId, body)
      const text = deliverText(body)
      const squeezed = isSqueezed ? squeezedFrame(text) : null
      if (squeezed) outlet.frames(squeezed)
      else socket.send(text)
    } catch (error) {
      const placeholder = await quarantine(ctx, { groupId, seq, why: `It can't be sent: ${String(error).slice(0, 200)}` })
      socket.send(deliverText(placeholder.body))
    }
  }

  /** Waits while the reader is slow; one that stays slow is cut off and resumes by its cursor. */
  async function drained(): Promise<void> {
    const since = Date.now()
    while (!isClosed && socket.bufferedAmount > highWaterBytes) {
      if (Date.now() - since > slowForMs) {
        socket.close(4408, 'read too slowly')
        isClosed = true
        tally.slow++
        ctx.log.info({ slowForMs }, 'a slow reader is cut off')
        return
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
  }

  function start(groupId: string, place: Place): void {
    pump(groupId, place).catch((error: unknown) => {
      ctx.log.warn({ err: error, groupId }, 'a delivery broke off')
      socket.close(1011, 'the log could not be read')
    })
  }

  function follow(groupId: string, after: number, head?: number): void {
    const isWoken = places.get(groupId)?.isWoken === true
    const place = { after, isPumping: false, isWoken: false }
    places.set(groupId, place)
    if (head === undefined || head > after || isWoken) start(groupId, place)
  }

  return {
    expect(groupIds) {
      // As one that is being read to: whatever comes makes that it is read once more.
      for (const groupId of groupIds) places.set(groupId, { after: 0, isPumping: true, isWoken: false })
    },
    follow,
    async again({ group_id: groupId, after }, begins) {
      if (!places.has(groupId)) return
      await requireWithinHead(ctx, groupId, after)
      if (isClosed || !places.has(groupId)) return
      begins()
      follow(groupId, after)
    },
    follows: (groupId) => places.has(groupId),
    acked: (groupId, seq, note) => (seq <= (places.get(groupId)?.after ?? 0) ? note() : requireWithinHead(ctx, groupId, seq).then(note)),
    keepOnly(groupIds) {
      for (const groupId of places.keys()) if (!groupIds.includes(groupId)) places.delete(groupId)
    },
    wake(groupId, seq) {
      const place = places.get(groupId)
      if (place && isNews(place.after, seq)) start(groupId, place)
    },
    push(live) {
      const { groupId, first, last } = live
      const place = places.get(groupId)
      if (!place || isClosed) return true
      const way = wayTo(place.after, place.isPumping, first, last)
      if (way === 'has') return true
      if (way === 'read' || socket.readyState !== socket.OPEN || socket.bufferedAmount > highWaterBytes) {
        start(groupId, place)
        return false
      }
      give(live, place)
      return true
    },
    close() {
      isClosed = true
    },
  }
}
