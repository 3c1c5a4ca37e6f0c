/**
 * How far an agent has come in one room. Messages arrive in order and are begun in order, but may finish out of it
 * (a task takes minutes, talk does not): what is acked is the highest number up to which everything has finished.
 */
export type Cursor = {
  /** The last message taken, gap-free. */
  received: number
  /** Everything up to here has been handled. */
  done: number
  /** Handled ahead of `done`. */
  readonly ahead: Set<number>
}

export function cursorAt(seq: number): Cursor {
  return { received: seq, done: seq, ahead: new Set() }
}

/** What a message with this number is to a reader that stands there. */
export function place(cursor: Cursor, seq: number): 'next' | 'seen' | 'gap' {
  if (seq <= cursor.received) return 'seen'
  return seq === cursor.received + 1 ? 'next' : 'gap'
}

/** Marks one message as handled. True where `done` has moved, i.e. there is something to ack. */
export function finish(cursor: Cursor, seq: number): boolean {
  if (seq <= cursor.done) return false
  cursor.ahead.add(seq)
  const before = cursor.done
  while (cursor.ahead.delete(cursor.done + 1)) cursor.done++
  return cursor.done > before
}
