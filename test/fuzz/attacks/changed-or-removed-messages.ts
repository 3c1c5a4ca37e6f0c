import { Client } from 'pg'
import type { Fault } from '../edge/oracles.ts'
import { ask } from '../ground/http.ts'
import { secretWord } from '../ground/scene.ts'
import { connectAgent } from '../ground/socket.ts'
import { type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, query, run } from './request-helpers.ts'

/** An attacker with the database's keys changes messages, and removes the last ones. */
async function tamper(place: Place): Promise<Fault[]> {
  const { scene, installation } = place
  const group = scene.goals.work.roomId
  const [common, before, after] = [secretWord(), secretWord(), secretWord()]
  const said = await run(place, 'helper', { type: 'message.post', room_id: group, parts: [{ text: `${common} ${before}` }] })
  if (!isTaken(said)) return []
  const seq = Number((JSON.parse(said.text) as { seq: number }).seq)
  await run(place, 'helper', { type: 'message.post', room_id: group, parts: [{ text: 'A last word.' }] })
  const client = new Client({ connectionString: installation.world.database.url })
  await client.connect()
  const faults: Fault[] = []
  try {
    await client.query('set session_replication_role = replica')
    const changed = await client.query(`update "message" set "body" = replace("body", $1, $2) where "roomId" = $3 and "seq" = $4`, [
      before,
      after,
      group,
      seq,
    ])
    if (changed.rowCount !== 1) return [fault('integrity on read', 'the attack', `changed ${changed.rowCount} rows`)]
    const reads: [string, () => Promise<string>][] = [
      [
        'conversations.list',
        async () => (await query(place, 'client', 'conversations.list', { room_id: group, after: seq - 1, limit: 10 })).text,
      ],
      [
        'the transcript',
        // Found by a word that was not changed: a page repeats what was searched for.
        async () => (await ask(webRequest(place, 'client', 'GET', `/goals/${scene.goals.work.id}/transcript?text=${common}`))).text,
      ],
      [
        'a search',
        async () => (await query(place, 'client', 'conversations.search', { room_id: group, after: 0, limit: 10, text: common })).text,
      ],
      ['the export', async () => (await ask(webRequest(place, 'client', 'GET', `/goals/${scene.goals.work.id}/transcript.jsonl`))).text],
      ['the socket', () => readBySocket(place, group, seq)],
    ]
    for (const [name, read] of reads)
      if ((await read()).includes(after))
        faults.push(fault('integrity on read', name, 'gave out a text that was changed below it, without a word'))
    const { rows } = await client.query(
      `delete from "message" where "roomId" = $1 and "seq" = (select max("seq") from "message" where "roomId" = $1) returning "seq"`,
      [group],
    )
    const gone = Number((rows[0] as { seq?: number } | undefined)?.seq ?? 0)
    const list = await query(place, 'client', 'conversations.list', { room_id: group, after: gone - 1, limit: 10 })
    if (list.status === 200 && !new RegExp(`"seq":${gone}\\b`).test(list.text))
      faults.push(fault('integrity on read', 'a missing end', `message ${gone} was deleted, and nothing says so`))
  } finally {
    await client.end()
  }
  return faults
}

async function readBySocket({ installation, scene, lines }: Place, group: string, seq: number): Promise<string> {
  lines.worker?.close()
  delete lines.worker
  const line = await connectAgent(installation.hub.url, scene.agents.worker)
  line.send(JSON.stringify({ type: 'subscribe', room_id: group, after: seq - 1 }))
  await line.next(
    ({ type, envelope }) =>
      type === 'deliver' && Number((envelope as { seq?: number }).seq) >= seq && (envelope as { room_id?: string }).room_id === group,
    4_000,
  )
  const text = line.take().join('\n')
  line.close()
  return text
}

export const tampering: Attack = { name: 'a changed database', spoils: true, isLogged: /is a dead letter now/, run: tamper }
