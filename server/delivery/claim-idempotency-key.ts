import { hash } from 'node:crypto'
import { type CommandType, canonicalize, type Json } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { requestIdReused } from './errors.ts'

type Keyed = { readonly type: CommandType; readonly envelope?: unknown; readonly [field: string]: unknown }

/**
 * Claims an idempotency key in the command's transaction: a repetition must have the same content. Concurrent claims wait for each other.
 * Of the envelope only its parts count, because a sender may sign the same content again under another id.
 * `by`: the owner of the key, if several actors may send the command. Returns when the key was claimed first.
 * @throws request.id_reused
 */
export async function claimIdempotencyKey(tx: Context, key: string, command: Keyed, by = actorName(tx.actor)): Promise<Date> {
  const { envelope, ...rest } = command
  const asked = envelope === undefined ? rest : { ...rest, said: (envelope as { readonly parts?: unknown }).parts ?? [] }
  const digest = hash('sha256', canonicalize(asked as unknown as Json))
  const [row] = await tx.db.$queryRaw<{ digest: string; at: Date }[]>`
    insert into "idempotency_key" ("actor", "command", "key", "digest", "at")
    values (${by}, ${command.type}, ${key}, ${digest}, ${tx.clock.now()})
    on conflict ("actor", "command", "key") do update set "key" = excluded."key" returning "digest", "at"`
  if (row?.digest !== digest) throw requestIdReused(command.type, key)
  return row.at
}
