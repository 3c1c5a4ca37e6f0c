import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type CursorCommit, commitMemberCursorsSteps } from '../../delivery/index.ts'

/** Writes the acks of all connections in batches. Acks that arrive during a write go into the next one. */
export type AckWriter = {
  /** Resolves when the ack is committed. */
  noteAck(move: CursorCommit): Promise<void>
  /** Ends the delay, because a frame waits for the acks before it. */
  flushNow(): void
  /** After this, each ack is tried at most once more. A lost ack only causes a second delivery. */
  close(): void
}

const retryMs = 500
/** The delay after a write, in which several acks of one reader are merged. */
const batchDelayMs = 200

export function createAckWriter(ctx: Context): AckWriter {
  let waiting = new Map<string, CursorCommit>()
  let done = Promise.withResolvers<void>()
  let isWriting = false
  let isClosed = false
  let isFlushRequested = false
  let endWait = () => {}

  async function write(): Promise<void> {
    isWriting = true
    while (waiting.size > 0) {
      const [batch, written] = [waiting, done]
      waiting = new Map()
      done = Promise.withResolvers()
      try {
        await ctx.ports.writer.send(commitMemberCursorsSteps([...batch.values()], ctx.clock.now()))
        written.resolve()
        await waitForBatch()
      } catch (error) {
        ctx.log.debug({ event: 'ack.write_delayed', err: error, acks: batch.size }, 'Acks wait for the database.')
        if (isClosed) {
          written.resolve()
          continue
        }
        // Newer acks replace older ones.
        for (const [key, move] of waiting) batch.set(key, move)
        waiting = batch
        void done.promise.then(written.resolve)
        await pause(retryMs)
      }
    }
    isWriting = false
  }

  async function waitForBatch(): Promise<void> {
    if (!isFlushRequested && !isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, batchDelayMs)
      endWait = resolve
      await promise
      clearTimeout(timer)
    }
    isFlushRequested = false
  }

  return {
    noteAck(move) {
      const key = `${move.roomId} ${move.memberId}`
      if (move.acked > (waiting.get(key)?.acked ?? 0)) waiting.set(key, move)
      const { promise } = done
      if (!isWriting) void write()
      return promise
    },
    flushNow() {
      isFlushRequested = waiting.size > 0
      endWait()
    },
    close() {
      isClosed = true
      endWait()
    },
  }
}
