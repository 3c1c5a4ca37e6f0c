import { randomSeed, signerFromSeed, transcriptStart } from '@parley/protocol'
import pg from 'pg'

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

/** Fills a room with `count` messages of about a kilobyte by SQL, as if they had been posted; everyone has acked them. */
export async function fillRoom(url: string, actors: readonly Actor[], count: number): Promise<void> {
  const [first] = actors
  if (!first) throw new Error('a room without members')
  const body = JSON.stringify({
    v: '1',
    room_id: first.roomId,
    sender_id: first.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text: 'x'.repeat(700) }],
  })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into "message" ("roomId", "seq", "id", "senderId", "type", "state", "body", "bodyHash", "hash", "receivedAt")
       select $1, n, overlay(gen_random_uuid()::text placing left("first_id_at"(now())::text, 15) from 1 for 15)::uuid, $2, 'discussion', 'discussion', $3 || ',"seq":' || n || ',"received_at":"2026-01-01T00:00:00.000Z"}', md5(n::text), md5(n::text), now()
       from generate_series(1, $4::int) n`,
      [first.roomId, first.did, body.slice(0, -1), count],
    )
    await client.query(`update "room" set "head" = $2, "hash" = repeat('a', 64) where "id" = $1`, [first.roomId, count])
    await client.query(
      `insert into "cursor" ("roomId", "memberId", "acked", "at") select $1, id, $3, now() from unnest($2::text[]) id on conflict do nothing`,
      [first.roomId, actors.map((one) => one.agentId), count],
    )
    await client.query('vacuum analyze "message"')
  } finally {
    await client.end()
  }
}
