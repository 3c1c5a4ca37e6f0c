import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type CursorCommit, commitCursorsSteps } from '../../delivery/index.ts'

/** Acks of all connections, written together: what comes in while one write is under way goes with the next. */
export type AckWriter = {
  /** Resolves when it is written. */
  noteAck(move: CursorCommit): Promise<void>
  /** Somebody waits for what was noted: it is written now. */
  flushNow(): void
  /** From now on each is tried once more at most: what is lost is delivered again. */
  close(): void
}

const retryMs = 500
/** So long after a write the next one waits for more: a reader who acks again meanwhile is written once. */
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
        await ctx.ports.writer.send(commitCursorsSteps([...batch.values()], ctx.clock.now()))
        written.resolve()
        await waitForBatch()
      } catch (error) {
        ctx.log.debug({ err: error, acks: batch.size }, 'acks wait for the database')
        if (isClosed) {
          written.resolve()
          continue
        }
        // What has come since is further on.
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
      const key = `${move.groupId} ${move.memberId}`
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
