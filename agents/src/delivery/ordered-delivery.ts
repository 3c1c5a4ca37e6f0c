/**
 * Receiver side of at-least-once delivery: each room in order, each message once, gaps requested again, messages acked when
 * handled. Rooms run in parallel. Within a room, a message starts after the one before it has started.
 */
import type { DeliveredMessage } from '../transport/transport.ts'
import { classifySeq, createCursor, markHandled, type RoomCursor } from './room-cursor.ts'

/** Messages of one room that may wait, by default. */
const defaultMaxQueue = 1_000
const maxRooms = 10_000
/** A gap is requested again if nothing arrives for this long. */
const gapRetryMs = 5_000
/** Delay that lets the acks of a busy room go out together. */
const ackDelayMs = 50

type RoomQueue = {
  readonly cursor: RoomCursor
  readonly queue: DeliveredMessage[]
  isRunning: boolean
  /** The last message started. */
  started: number
  /** The highest sequence number delivered, queued or not. */
  highest: number
  acked: number
  /** The last request for missing messages: after which message, and when it was sent. */
  gapRequest: { after: number; at: number } | null
  /** Messages stayed at the server because the queue was full. */
  hasOverflowed: boolean
}

/** What the delivery calls. `after` and `seq` are sequence numbers of a room. */
export type OrderedDeliveryOptions = {
  /** Starts a message. `finished` resolves when it may be acked. */
  handle(message: DeliveredMessage): Promise<{ finished: Promise<void> }>
  subscribe(room_id: string, after: number): void
  /** False if the ack could not be sent. */
  ack(room_id: string, seq: number): boolean
  /** Messages of one room that may wait; 1,000 by default. Beyond it, messages stay at the server and are requested later. */
  readonly maxQueue?: number
}

/** Starts the messages of each room in order and without gaps, each once, and acks the handled ones. */
export type OrderedDelivery = {
  /** Sets what the server has on record for a room. Everything after `acked` will be delivered. */
  addRoom(room_id: string, acked: number): void
  /** `seen`: received before. `taken`: it will be handled. `left`: it will be requested again. */
  accept(message: DeliveredMessage): 'seen' | 'taken' | 'left'
  /** Sequence number of the last message started in the room; 0 if there is none. */
  lastStarted(room_id: string): number
  /** Sends all outstanding acks. */
  flushAcks(): void
  stop(): void
}

type State = {
  readonly options: OrderedDeliveryOptions
  readonly rooms: Map<string, RoomQueue>
  readonly gapTimers: Set<ReturnType<typeof setTimeout>>
  ackTimer: ReturnType<typeof setTimeout> | undefined
  isStopped: boolean
}

/** A delivery without rooms. It requests missing messages again and batches acks. */
export function createOrderedDelivery(options: OrderedDeliveryOptions): OrderedDelivery {
  const state: State = { options, rooms: new Map(), gapTimers: new Set(), ackTimer: undefined, isStopped: false }
  return {
    addRoom(room_id, acked) {
      const room = findOrAddRoom(state, room_id, acked)
      // An ack that was lost with the previous connection is sent again.
      room.acked = acked
      room.gapRequest = null
    },
    accept: (message) => accept(state, message),
    lastStarted: (room_id) => state.rooms.get(room_id)?.started ?? 0,
    flushAcks: () => flushAcks(state),
    stop() {
      flushAcks(state)
      state.isStopped = true
      for (const timer of state.gapTimers) clearTimeout(timer)
      state.gapTimers.clear()
    },
  }
}

function findOrAddRoom({ rooms }: State, room_id: string, seq: number): RoomQueue {
  const found = rooms.get(room_id)
  if (found) return found
  const room: RoomQueue = {
    cursor: createCursor(seq),
    queue: [],
    isRunning: false,
    started: seq,
    highest: seq,
    acked: seq,
    gapRequest: null,
    hasOverflowed: false,
  }
  rooms.set(room_id, room)
  if (rooms.size > maxRooms) evictIdleRoom(rooms, room_id)
  return room
}

function evictIdleRoom(rooms: Map<string, RoomQueue>, except: string): void {
  for (const [id, { cursor, isRunning }] of rooms) {
    const isSettlementIdle = !isRunning && cursor.handled === cursor.received
    if (!isSettlementIdle || id === except) continue
    rooms.delete(id)
    return
  }
}

function accept(state: State, message: DeliveredMessage): 'seen' | 'taken' | 'left' {
  // The server delivers without gaps, so an evicted room resumes at this message.
  const room = findOrAddRoom(state, message.room_id, message.seq - 1)
  room.highest = Math.max(room.highest, message.seq)
  switch (classifySeq(room.cursor, message.seq)) {
    case 'seen':
      return 'seen'
    case 'gap':
      if (!room.hasOverflowed) requestMissing(state, message.room_id, room)
      return 'left'
    case 'next':
      if (room.queue.length >= (state.options.maxQueue ?? defaultMaxQueue)) {
        room.hasOverflowed = true
        return 'left'
      }
      room.cursor.received = message.seq
      room.queue.push(message)
      if (!room.isRunning) void runQueue(state, message.room_id, room)
      return 'taken'
  }
}

async function runQueue(state: State, room_id: string, room: RoomQueue): Promise<void> {
  room.isRunning = true
  for (let message = room.queue.shift(); message && !state.isStopped; message = room.queue.shift()) {
    const { seq } = message
    room.started = seq
    const { finished } = await state.options.handle(message)
    void finished.then(() => {
      if (state.isStopped || !markHandled(room.cursor, seq)) return
      state.ackTimer ??= setTimeout(() => flushAcks(state), ackDelayMs)
    })
  }
  room.isRunning = false
  if (room.hasOverflowed && !state.isStopped) {
    room.hasOverflowed = false
    requestMissing(state, room_id, room)
  }
}

function flushAcks(state: State): void {
  clearTimeout(state.ackTimer)
  state.ackTimer = undefined
  for (const [room_id, room] of state.rooms) {
    const { handled } = room.cursor
    if (handled > room.acked && state.options.ack(room_id, handled)) room.acked = handled
  }
}

function requestMissing(state: State, room_id: string, room: RoomQueue): void {
  const after = room.cursor.received
  if (room.gapRequest?.after === after && Date.now() - room.gapRequest.at < gapRetryMs) return
  room.gapRequest = { after, at: Date.now() }
  state.options.subscribe(room_id, after)
  const timer = setTimeout(() => {
    state.gapTimers.delete(timer)
    if (room.cursor.received === after && room.highest > after) requestMissing(state, room_id, room)
  }, gapRetryMs + 1)
  state.gapTimers.add(timer)
}
