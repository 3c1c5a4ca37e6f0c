import { hash } from 'node:crypto'
import { type CommandType, canonicalize, type Json } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { requestIdReused } from './errors.ts'

type Keyed = { readonly type: CommandType; readonly envelope?: unknown }

/**
 * Remembers what was asked for under an id that its sender chose, in the verb's transaction: repeating the id is answered as before
 * only where everything else is repeated too. Two at once take turns here. The envelope that records the command is left out: a
 * sender may sign it anew, and a message's own id has a conflict of its own.
 * @throws request.id_reused
 */
export async function requireSameRequest(tx: Context, key: string, command: Keyed): Promise<void> {
  const { envelope: _envelope, ...asked } = command
  const digest = hash('sha256', canonicalize(asked as unknown as Json))
  const actor = actorName(tx.actor)
  const [row] = await tx.db.$queryRaw<{ digest: string }[]>`
    insert into "request_key" ("actor", "command", "key", "digest", "at")
    values (${actor}, ${command.type}, ${key}, ${digest}, ${tx.clock.now()})
    on conflict ("actor", "command", "key") do update set "key" = excluded."key" returning "digest"`
  if (row?.digest !== digest) throw requestIdReused(command.type, key)
}
