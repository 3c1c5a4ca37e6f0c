import pg from 'pg'
import type { Observations } from './check-delivery.ts'
import { type Client, placeholder } from './load-client.ts'

async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const headsOf = (url: string) =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ id: string; head: number }>(`select "id", "head" from "room"`)
    return new Map(rows.map((row) => [row.id, row.head]))
  })

/** Damages the newest message of each given room, as a faulty disk would. */
export const corruptNewestMessages = (url: string, rooms: number) =>
  withDatabase(url, async (client) => {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    const newest = `select "id", "head" from "room" where "kind" = 'room' and "head" > 0 order by "id" limit $1`
    await client.query(
      `update "message" m set "body" = '~' || "body" from (${newest}) r where m."roomId" = r."id" and m."seq" = r."head"`,
      [rooms],
    )
    await client.query('commit')
  })

/** The observations of the clients, and the log on the disk. For a damaged message a placeholder is expected. */
export async function readMessageLog(url: string, clients: readonly Client[]): Promise<Observations> {
  const log = await withDatabase(url, async (client) => {
    const { rows } = await client.query<Observations['log'][number] & { isDamaged: boolean }>(
      `select "roomId" as "room", "seq", "id", "senderId" as "sender", "body" like '~%' as "isDamaged" from "message" order by "roomId", "seq"`,
    )
    return rows
  })
  const damaged = new Map(log.filter((row) => row.isDamaged).map((row) => [`${row.room} ${row.seq}`, row.id]))
  const meant = (room: string, { seq, id }: { seq: number; id: string }) =>
    id === placeholder ? { seq, id: damaged.get(`${room} ${seq}`) ?? id } : { seq, id }
  return {
    sent: new Map(clients.map((client) => [client.actor.did, client.sent])),
    acks: clients.flatMap((client) => client.acks),
    log,
    runs: clients.flatMap((client) => client.runs.map((run) => ({ ...run, got: run.got.map((one) => meant(run.room, one)) }))),
    readers: clients.map(({ actor }) => ({ reader: actor.did, room: actor.roomId })),
  }
}
