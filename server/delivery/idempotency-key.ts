import { hash } from 'node:crypto'
import { type CommandType, canonicalize, type Json } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { requestIdReused } from './errors.ts'

type Keyed = { readonly type: CommandType; readonly envelope?: unknown; readonly [field: string]: unknown }

/**
 * Remembers what was asked for under an id that its sender chose, in the verb's transaction: repeating the id is answered as before
 * only where everything else is repeated too. Two at once take turns here. Of the envelope that records the command its parts count:
 * a sender may sign the same words again under another id.
 * `by`: whose id it is, where several may send the command for one.
 * @throws request.id_reused
 */
export async function claimIdempotencyKey(tx: Context, key: string, command: Keyed, by = actorName(tx.actor)): Promise<void> {
  const { envelope, ...rest } = command
  const asked = envelope === undefined ? rest : { ...rest, said: (envelope as { readonly parts?: unknown }).parts ?? [] }
  const digest = hash('sha256', canonicalize(asked as unknown as Json))
  const [row] = await tx.db.$queryRaw<{ digest: string }[]>`
    insert into "request_key" ("actor", "command", "key", "digest", "at")
    values (${by}, ${command.type}, ${key}, ${digest}, ${tx.clock.now()})
    on conflict ("actor", "command", "key") do update set "key" = excluded."key" returning "digest"`
  if (row?.digest !== digest) throw requestIdReused(command.type, key)
}
