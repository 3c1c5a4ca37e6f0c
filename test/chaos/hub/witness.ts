import pg from 'pg'
import type { Witness } from './checker.ts'
import type { Client } from './client.ts'

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
    const { rows } = await client.query<{ id: string; head: number }>(`select "id", "head" from "group"`)
    return new Map(rows.map((row) => [row.id, row.head]))
  })

/** What the clients saw, and the log as it is on the disk. */
export async function witness(url: string, clients: readonly Client[]): Promise<Witness> {
  const log = await withDatabase(url, async (client) => {
    const { rows } = await client.query<Witness['log'][number]>(
      `select "groupId" as "group", "seq", "id", "senderId" as "sender" from "message" order by "groupId", "seq"`,
    )
    return rows
  })
  return {
    sent: new Map(clients.map((client) => [client.actor.did, client.sent])),
    acks: clients.flatMap((client) => client.acks),
    log,
    runs: clients.flatMap((client) => client.runs),
    readers: clients.map(({ actor }) => ({ reader: actor.did, group: actor.groupId })),
  }
}
