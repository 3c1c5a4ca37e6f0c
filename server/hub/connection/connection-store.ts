import type { Context } from '../../context.ts'
import { listRoomsOfEach } from '../../conversations/index.ts'
import { createBatchLoader } from '../../db/batch-loader.ts'
import { type CursorPosition, listCursorsOfEach } from '../../delivery/index.ts'
import type { KeyShown } from '../../identity/index.ts'
import {
  areCurrent,
  type ConnectedAgent,
  findAgentsByKeys,
  markOfflineTogether,
  markOnlineTogether,
  type Presence,
} from '../../registry/index.ts'

/** What coming, going and looking again asks of the database, of all connections together: thousands do so at once where a hub or a line was lost. */
export type ConnectionStore = {
  /** The agent of a key, or null where it has to be looked at by itself. */
  findAgent(shown: KeyShown): Promise<ConnectedAgent | null>
  /** Writes down that an agent is here, unless its connection is gone by then: that one must not take over from another. */
  markOnline(here: Presence & { isOpen(): boolean }): Promise<void>
  markOffline(gone: Presence): Promise<void>
  /** Whether this is still the agent's connection. */
  isCurrent(here: Presence): Promise<boolean>
  roomsOf(did: string): Promise<string[]>
  cursorsOf(asked: { readonly memberId: string; readonly groupIds: readonly string[] }): Promise<CursorPosition[]>
}

const maxBatch = 256

export function createConnectionStore(ctx: Context): ConnectionStore {
  return {
    findAgent: createBatchLoader(maxBatch, (shown) => findAgentsByKeys(ctx, shown)),
    markOnline: createBatchLoader(maxBatch, async (come) => {
      const here = come.filter((one) => one.isOpen())
      if (here.length > 0) await markOnlineTogether(ctx, here)
      return []
    }),
    markOffline: createBatchLoader(maxBatch, async (gone) => {
      await markOfflineTogether(ctx, gone)
      return []
    }),
    isCurrent: createBatchLoader(maxBatch, (here) => areCurrent(ctx, here)),
    roomsOf: createBatchLoader(maxBatch, (dids) => listRoomsOfEach(ctx, dids)),
    cursorsOf: createBatchLoader(maxBatch, (asked) => listCursorsOfEach(ctx, asked)),
  }
}
