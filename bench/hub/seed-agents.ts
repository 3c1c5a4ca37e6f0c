import { type Envelope, randomSeed, type Signature, signerFromSeed, transcriptStart } from '@parley/protocol'
import pg from 'pg'
import type { Clock } from '../../server/clock.ts'
import {
  attachSignature,
  canonicalizeEnvelope,
  type LogHead,
  type SequencedMessage,
  type SignedCanonicalEnvelope,
  sequenceMessage,
} from '../../server/delivery/sequence-message.ts'
import { createIds } from '../../server/ids.ts'

/** An agent of the load with the room in which it posts. `seed`: of its key. `isWitness`: it checks all messages that it receives. */
export type Actor = {
  readonly agentId: string
  readonly did: string
  readonly seed: string
  readonly roomId: string
  readonly isWitness?: boolean
}

const hex = (n: number) => n.toString(16).padStart(32, '0')

/**
 * Agents with bound keys, in rooms of `size`, written straight into the database: `rooms` × `size` of them. `batch` keeps
 * the ids of several casts apart.
 */
export async function seedAgents(url: string, batch: number, rooms: number, size: number): Promise<Actor[]> {
  const actors = await Promise.all(
    Array.from({ length: rooms * size }, async (_, index): Promise<Actor> => {
      const seed = randomSeed()
      const { did } = await signerFromSeed(seed)
      const number = batch * 100_000 + index
      return {
        agentId: `agt_${hex(number)}`,
        did,
        seed,
        roomId: `rom_${hex(batch * 100_000 + Math.floor(index / size))}`,
        isWitness: index % size === 0,
      }
    }),
  )
  const owner = `did:pkh:eip155:31337:0x${'0b'.repeat(20)}`
  const inboxOf = (agent: Actor) => agent.agentId.replace('agt_', 'inb_')
  const roomIds = [...new Set(actors.map((actor) => actor.roomId))]
  const lists = [actors.map((one) => one.agentId), actors.map((one) => one.did), actors.map(inboxOf), actors.map((one) => one.roomId)]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into "room" ("id", "kind", "hash", "createdAt") select id, 'room'::"RoomKind", $2::text, now() from unnest($1::text[]) id
       union all select id, 'inbox'::"RoomKind", $2::text, now() from unnest($3::text[]) id`,
      [roomIds, transcriptStart, lists[2]],
    )
    await client.query(
      `insert into "conversation" ("roomId", "goalId", "nextSpeakers", "triggers") select id, replace(id, 'rom_', 'gol_'), '{}', '{}' from unnest($1::text[]) id`,
      [roomIds],
    )
    await client.query(
      `insert into "listing" ("agentId", "handle", "did", "ownerId", "inboxId", "name", "summary", "readme", "payout", "policy", "publishedAt", "revisedAt", "textSince")
       select a, replace(a, '_', '-'), d, $4, i, a, '', '', '0x', '{}', now(), now(), now() from unnest($1::text[], $2::text[], $3::text[]) as t(a, d, i)`,
      [lists[0], lists[1], lists[2], owner],
    )
    await client.query(
      // As keys that have been shown before.
      `insert into "agent_key" ("did", "agentId", "boundAt", "proofNonce", "proofSignature") select d, a, now(), 'bench', '' from unnest($1::text[], $2::text[]) as t(a, d)`,
      [lists[0], lists[1]],
    )
    await client.query(
      `insert into "membership" ("roomId", "memberId", "agentId", "role", "joinedAt")
       select g, d, a, 'member', now() from unnest($1::text[], $2::text[], $3::text[]) as t(a, d, g)`,
      [lists[0], lists[1], lists[3]],
    )
    await client.query(
      `insert into "membership" ("roomId", "memberId", "role", "joinedAt") select id, $2, 'client', now() from unnest($1::text[]) id`,
      [roomIds, owner],
    )
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
  return actors
}

const rowsPerInsert = 5_000
const ids = createIds({ now: () => new Date() } as Clock)

/** A message of about a kilobyte. Readers check its hashes; its signature has the shape of one. */
function sampleMessage({ roomId, did }: Actor): SignedCanonicalEnvelope {
  const sig = { alg: 'EdDSA', kid: `${did}#${did.slice(8)}`, value: 'A'.repeat(86) } as const
  const envelope = {
    ...{ v: '1', id: ids.uuid(), room_id: roomId, sender_id: did, state: 'discussion', type: 'discussion' },
    parts: [{ text: 'x'.repeat(700) }],
  }
  return attachSignature(canonicalizeEnvelope(envelope as unknown as Envelope), sig as unknown as Signature)
}

async function insertMessages(client: pg.Client, { roomId, did }: Actor, messages: readonly SequencedMessage[]): Promise<void> {
  await client.query(
    `insert into "message" ("roomId", "seq", "id", "senderId", "type", "state", "body", "bodyHash", "hash", "receivedAt")
     select $1, s.seq, s.id::uuid, $2, 'discussion', 'discussion', s.body, s."bodyHash", s.hash, $3
     from unnest($4::int[], $5::text[], $6::text[], $7::text[], $8::text[]) as s(seq, id, body, "bodyHash", hash)`,
    [
      ...[roomId, did, messages[0]?.receivedAt],
      messages.map(({ head }) => head),
      messages.map(({ canonical }) => canonical.envelope.id),
      messages.map(({ body }) => body.toString()),
      messages.map(({ canonical }) => canonical.bodyHash),
      messages.map(({ hash }) => hash),
    ],
  )
}

/** Fills a room with `count` messages of about a kilobyte by SQL, as if they had been posted; everyone has acked them. */
export async function fillRoom(url: string, actors: readonly Actor[], count: number): Promise<void> {
  const [first] = actors
  if (!first) throw new Error('a room without members')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let last: LogHead = { head: 0, hash: transcriptStart }
    const receivedAt = new Date()
    for (let from = 1; from <= count; from += rowsPerInsert) {
      const messages: SequencedMessage[] = []
      for (let seq = from; seq < Math.min(from + rowsPerInsert, count + 1); seq++) {
        const message = sequenceMessage(last, sampleMessage(first), receivedAt)
        messages.push(message)
        last = message
      }
      await insertMessages(client, first, messages)
    }
    await client.query(`update "room" set "head" = $2, "hash" = $3 where "id" = $1`, [first.roomId, count, last.hash])
    await client.query(
      `insert into "cursor" ("roomId", "memberId", "acked", "at") select $1, id, $3, now() from unnest($2::text[]) id on conflict do nothing`,
      [first.roomId, actors.map((one) => one.agentId), count],
    )
    await client.query('vacuum analyze "message"')
  } finally {
    await client.end()
  }
}
