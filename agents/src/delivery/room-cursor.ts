/**
 * How far an agent has read one room. Messages start in order but may finish out of order: a task takes minutes, a reply
 * milliseconds. The acked position is the highest sequence number up to which every message is handled.
 */
export type RoomCursor = {
  /** The last message received, without gaps. */
  received: number
  /** Every message up to this one is handled. */
  handled: number
  /** Messages handled beyond `handled`. */
  readonly handledAhead: Set<number>
}

/** A cursor of a room whose messages up to `seq` are handled. 0: none. */
export function createCursor(seq: number): RoomCursor {
  return { received: seq, handled: seq, handledAhead: new Set() }
}

/** Whether message `seq` is the next one, one received before, or one beyond a gap. */
export function classifySeq(cursor: RoomCursor, seq: number): 'next' | 'seen' | 'gap' {
  if (seq <= cursor.received) return 'seen'
  return seq === cursor.received + 1 ? 'next' : 'gap'
}

/** Marks one message as handled. True if `handled` moved, so that there is a position to ack. */
export function markHandled(cursor: RoomCursor, seq: number): boolean {
  if (seq <= cursor.handled) return false
  cursor.handledAhead.add(seq)
  const before = cursor.handled
  while (cursor.handledAhead.delete(cursor.handled + 1)) cursor.handled++
  return cursor.handled > before
}
