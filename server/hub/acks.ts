import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { type CursorMove, moveCursors } from '../delivery/index.ts'

/** Acks of all connections, written together: what comes in while one write is under way goes with the next. */
export type Acks = {
  /** Resolves when it is written. */
  note(move: CursorMove): Promise<void>
  /** From now on each is tried once more at most: what is lost is delivered again. */
  close(): void
}

const retryMs = 500

export function createAcks(ctx: Context): Acks {
  let waiting = new Map<string, CursorMove>()
  let done = Promise.withResolvers<void>()
  let isWriting = false
  let isClosed = false

  async function write(): Promise<void> {
    isWriting = true
    while (waiting.size > 0) {
      const [batch, written] = [waiting, done]
      waiting = new Map()
      done = Promise.withResolvers()
      try {
        await ctx.ports.writer.transact((lane) => moveCursors(lane, [...batch.values()], ctx.clock.now()))
        written.resolve()
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

  return {
    note(move) {
      const key = `${move.groupId} ${move.memberId}`
      if (move.acked > (waiting.get(key)?.acked ?? 0)) waiting.set(key, move)
      const { promise } = done
      if (!isWriting) void write()
      return promise
    },
    close() {
      isClosed = true
    },
  }
}
