import type { Context } from '../../context.ts'
import { listRoomsOfEach } from '../../conversations/index.ts'
import { inBatches } from '../../db/batch-loader.ts'
import { type CursorPlace, listCursorsOfEach } from '../../delivery/index.ts'
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
export type Desk = {
  /** The agent of a key, or null where it has to be looked at by itself. */
  find(shown: KeyShown): Promise<ConnectedAgent | null>
  /** Writes down that an agent is here, unless its connection is gone by then: that one must not take over from another. */
  come(here: Presence & { isOpen(): boolean }): Promise<void>
  go(gone: Presence): Promise<void>
  /** Whether this is still the agent's connection. */
  isCurrent(here: Presence): Promise<boolean>
  roomsOf(did: string): Promise<string[]>
  cursorsOf(asked: { readonly memberId: string; readonly groupIds: readonly string[] }): Promise<CursorPlace[]>
}

const mostAtOnce = 256

export function openDesk(ctx: Context): Desk {
  return {
    find: inBatches(mostAtOnce, (shown) => findAgentsByKeys(ctx, shown)),
    come: inBatches(mostAtOnce, async (come) => {
      const here = come.filter((one) => one.isOpen())
      if (here.length > 0) await markOnlineTogether(ctx, here)
      return []
    }),
    go: inBatches(mostAtOnce, async (gone) => {
      await markOfflineTogether(ctx, gone)
      return []
    }),
    isCurrent: inBatches(mostAtOnce, (here) => areCurrent(ctx, here)),
    roomsOf: inBatches(mostAtOnce, (dids) => listRoomsOfEach(ctx, dids)),
    cursorsOf: inBatches(mostAtOnce, (asked) => listCursorsOfEach(ctx, asked)),
  }
}
