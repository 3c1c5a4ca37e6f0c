import type { Context } from '../../context.ts'
import { listRoomsOfEach } from '../../conversations/index.ts'
import { createBatchLoader } from '../../db/batch-loader.ts'
import { type CursorPosition, listCursorsOfEach } from '../../delivery/index.ts'
import type { VerifiedKey } from '../../identity/index.ts'
import {
  areConnectionsCurrent,
  type ConnectedAgent,
  findAgentsByKeys,
  markManyOffline,
  markManyOnline,
  type Presence,
} from '../../registry/index.ts'

/** The queries of connections, batched, because thousands of agents reconnect at once after the loss of a hub or a network. */
export type BatchedConnectionQueries = {
  /** The agent of a key; null if it needs the individual lookup. */
  findAgent(shown: VerifiedKey): Promise<ConnectedAgent | null>
  /** Marks an agent as online, unless its connection has closed: a closed one must not replace another. */
  markOnline(here: Presence & { isOpen(): boolean }): Promise<void>
  markOffline(gone: Presence): Promise<void>
  /** Whether this is still the current connection of the agent. */
  isCurrent(here: Presence): Promise<boolean>
  roomsOf(did: string): Promise<string[]>
  cursorsOf(asked: { readonly memberId: string; readonly roomIds: readonly string[] }): Promise<CursorPosition[]>
}

const maxBatch = 256

export function createBatchedConnectionQueries(ctx: Context): BatchedConnectionQueries {
  return {
    findAgent: createBatchLoader(maxBatch, (shown) => findAgentsByKeys(ctx, shown)),
    markOnline: createBatchLoader(maxBatch, async (come) => {
      const here = come.filter((one) => one.isOpen())
      if (here.length > 0) await markManyOnline(ctx, here)
      return []
    }),
    markOffline: createBatchLoader(maxBatch, async (gone) => {
      await markManyOffline(ctx, gone)
      return []
    }),
    isCurrent: createBatchLoader(maxBatch, (here) => areConnectionsCurrent(ctx, here)),
    roomsOf: createBatchLoader(maxBatch, (dids) => listRoomsOfEach(ctx, dids)),
    cursorsOf: createBatchLoader(maxBatch, (asked) => listCursorsOfEach(ctx, asked)),
  }
}
