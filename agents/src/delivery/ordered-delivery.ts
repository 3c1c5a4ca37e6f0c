/**
 * The delivery promise, from the receiver's side: every room in its own order, each message taken once, gaps asked for
 * again, acked when handled. Rooms run side by side; within a room one message is begun after the other.
 */

import type { Delivered } from '../transport/transport.ts'
import { type Cursor, cursorAt, finish, place } from './cursor.ts'

/** Messages of one room that may wait here; beyond it they are left to the server and asked for later. */
const maxQueue = 1_000
const maxRooms = 10_000
/** A gap is asked for again when nothing came for this long. */
const askAgainMs = 5_000
/** Acks of a busy room go out together. */
const ackDelayMs = 50

type Room = {
  readonly cursor: Cursor
  readonly queue: Delivered[]
  running: boolean
  /** The last message begun. */
  begun: number
  /** The highest number that has shown up, taken or not. */
  highest: number
  acked: number
  /** Where the last request for missing messages began, and when it was sent. */
  asked: { after: number; at: number } | null
  /** Messages were left to the server because the queue was full. */
  overflowed: boolean
}

export type RoomsOptions = {
  /** Begins with a message; `finished` resolves when it may be acked. */
  begin(message: Delivered): Promise<{ finished: Promise<void> }>
  subscribe(group_id: string, after: number): void
  /** False where it could not be sent. */
  ack(group_id: string, seq: number): boolean
}

export type Rooms = {
  /** A room as the server knows it: everything after `acked` will come. */
  enter(group_id: string, acked: number): void
  /** `seen`: taken before. `taken`: it will be handled. `left`: it will be asked for. */
  deliver(message: Delivered): 'seen' | 'taken' | 'left'
  /** The last message begun in the room. */
  begun(group_id: string): number
  /** Sends what is still to be acked. */
  flush(): void
  stop(): void
}

export function createRooms({ begin, subscribe, ack }: RoomsOptions): Rooms {
  const rooms = new Map<string, Room>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let ackTimer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  function room(group_id: string, at: number): Room {
    const found = rooms.get(group_id)
    if (found) return found
    const made: Room = {
      cursor: cursorAt(at),
      queue: [],
      running: false,
      begun: at,
      highest: at,
      acked: at,
      asked: null,
      overflowed: false,
    }
    rooms.set(group_id, made)
    if (rooms.size > maxRooms) {
      for (const [id, { cursor, running }] of rooms) {
        const idle = !running && cursor.done === cursor.received
        if (idle && id !== group_id) {
          rooms.delete(id)
          break
        }
      }
    }
    return made
  }

  function flush(): void {
    clearTimeout(ackTimer)
    ackTimer = undefined
    for (const [group_id, own] of rooms) {
      if (own.cursor.done > own.acked && ack(group_id, own.cursor.done)) own.acked = own.cursor.done
    }
  }

  function askFor(group_id: string, own: Room): void {
    const after = own.cursor.received
    if (own.asked?.after === after && Date.now() - own.asked.at < askAgainMs) return
    own.asked = { after, at: Date.now() }
    subscribe(group_id, after)
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (own.cursor.received === after && own.highest > after) askFor(group_id, own)
    }, askAgainMs + 1)
    timers.add(timer)
  }

  async function run(group_id: string, own: Room): Promise<void> {
    own.running = true
    for (let message = own.queue.shift(); message && !stopped; message = own.queue.shift()) {
      const { seq } = message
      own.begun = seq
      const { finished } = await begin(message)
      void finished.then(() => {
        if (stopped || !finish(own.cursor, seq)) return
        ackTimer ??= setTimeout(flush, ackDelayMs)
      })
    }
    own.running = false
    if (own.overflowed && !stopped) {
      own.overflowed = false
      askFor(group_id, own)
    }
  }

  return {
    enter(group_id, acked) {
      const own = room(group_id, acked)
      // What the server has on record; an ack that was lost with the last connection goes out again.
      own.acked = acked
      own.asked = null
    },
    deliver(message) {
      // A room this session let go of is taken up where the server, which resumes without gaps, stands.
      const own = room(message.group_id, message.seq - 1)
      own.highest = Math.max(own.highest, message.seq)
      switch (place(own.cursor, message.seq)) {
        case 'seen':
          return 'seen'
        case 'gap':
          if (!own.overflowed) askFor(message.group_id, own)
          return 'left'
        case 'next':
          if (own.queue.length >= maxQueue) {
            own.overflowed = true
            return 'left'
          }
          own.cursor.received = message.seq
          own.queue.push(message)
          if (!own.running) void run(message.group_id, own)
          return 'taken'
      }
    },
    begun: (group_id) => rooms.get(group_id)?.begun ?? 0,
    flush,
    stop() {
      flush()
      stopped = true
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
