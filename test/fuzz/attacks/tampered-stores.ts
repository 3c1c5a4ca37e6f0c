import { Client } from 'pg'
import { textUpload } from '../../support/goal-fixture.ts'
import type { Fault } from '../edge/oracles.ts'
import { newId } from '../ground/cast.ts'
import { ask } from '../ground/http.ts'
import { secretWord } from '../ground/scene.ts'
import { connectAgent } from '../ground/socket.ts'
import { writeJson } from '../inputs/json-text.ts'
import { hubRequest, jsonInUrl, type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { callWith } from './private-objects.ts'
import { fault, isTaken, query, run, sendWithRetry } from './request-helpers.ts'

/** Three messages, of which the one at `seq` was changed. `common` is a word of all of them. */
type Room = { readonly goalId: string; readonly roomId: string; readonly seq: number; readonly common: string }
type Reader = { readonly name: string; read(place: Place, room: Room): Promise<string> }
/** `shown`: a word that stands in an answer only where what was changed passes for genuine. */
type Change = { readonly name: string; make(db: Client, room: Room, words: Words): Promise<string> }
type Words = { readonly before: string; readonly after: string }

const web = (name: string, path: (room: Room) => string): Reader => ({
  name,
  read: async (place, room) => (await ask(webRequest(place, 'client', 'GET', path(room)))).text,
})
const procedure = (name: string, input: (room: Room) => object): Reader => ({
  name: `${name} ${Object.keys(input({ goalId: '', roomId: '', seq: 2, common: '' }))
    .slice(1)
    .join(' ')}`.trim(),
  read: async (place, room) => (await query(place, 'client', name, input(room))).text,
})
const rpc = (name: string, at: string, method: string, params: (room: Room) => object): Reader => ({
  name,
  async read(place, room) {
    const body = writeJson({ jsonrpc: '2.0', id: 1, method, params: params(room) as never })
    const request = hubRequest(place, 'client', 'POST', at, body)
    const headers = { ...request.headers, accept: 'application/json, text/event-stream', 'a2a-version': '1.0' }
    return (await ask({ ...request, headers })).text
  },
})

/** Everything that shows messages of a room which no agent has joined. */
const readers: readonly Reader[] = [
  procedure('conversations.list', ({ roomId }) => ({ room_id: roomId, after: 0, limit: 50 })),
  procedure('conversations.list', ({ roomId, seq }) => ({ room_id: roomId, limit: 1, after: seq - 1 })),
  ...['text', 'type', 'state'].map((what) =>
    procedure('conversations.search', ({ roomId, seq, common }) => ({
      room_id: roomId,
      [what]: what === 'text' ? common : what === 'type' ? 'discussion' : 'discussion',
      after: seq - 1,
      limit: 1,
    })),
  ),
  procedure('conversations.search', ({ roomId, common }) => ({ room_id: roomId, text: common })),
  procedure('goals.getRoom', ({ goalId, roomId }) => ({ goal_id: goalId, room_id: roomId })),
  procedure('goals.getPage', ({ goalId }) => ({ goal_id: goalId })),
  procedure('conversations.plans', ({ roomId }) => ({ room_id: roomId })),
  {
    name: 'conversations.follow',
    async read(place, { roomId }) {
      const path = `/api/trpc/conversations.follow?input=${jsonInUrl({ json: { room_id: roomId, after: 0, once: true } })}`
      const request = webRequest(place, 'client', 'GET', path)
      return (await ask({ ...request, headers: { ...request.headers, accept: 'text/event-stream' } })).text
    },
  },
  web('page /goals/[id]', ({ goalId }) => `/goals/${goalId}`),
  web('page /goals/[id]/transcript', ({ goalId }) => `/goals/${goalId}/transcript`),
  web('page /goals/[id]/transcript, after', ({ goalId, seq }) => `/goals/${goalId}/transcript?after=${seq - 1}`),
  web('page /goals/[id]/transcript, text', ({ goalId, common }) => `/goals/${goalId}/transcript?text=${common}`),
  web('page /goals/[id]/transcript, type', ({ goalId }) => `/goals/${goalId}/transcript?type=discussion`),
  ...['jsonl', 'csv'].flatMap((format) => [
    web(`transcript.${format}`, ({ goalId }) => `/goals/${goalId}/transcript.${format}`),
    web(`transcript.${format}, text`, ({ goalId, common }) => `/goals/${goalId}/transcript.${format}?text=${common}`),
  ]),
  ...['get_goal', 'follow_goal'].map((name) =>
    rpc(`MCP ${name}`, '/v1/mcp', 'tools/call', ({ goalId }) => ({ name, arguments: { goal_id: goalId, after: 0, seconds: 1 } })),
  ),
  rpc('A2A GetTask', '/v1/a2a', 'GetTask', ({ goalId }) => ({ id: goalId, historyLength: 50 })),
]

const changes: readonly Change[] = [
  {
    name: 'a changed character',
    async make(db, { roomId, seq }, { before, after }) {
      await db.query('update "message" set "body" = replace("body", $1, $2) where "roomId" = $3 and "seq" = $4', [
        before,
        after,
        roomId,
        seq,
      ])
      return after
    },
  },
  {
    name: 'another hash',
    async make(db, { roomId, seq }, { before }) {
      await db.query(`update "message" set "bodyHash" = reverse("bodyHash"), "hash" = reverse("hash") where "roomId" = $1 and "seq" = $2`, [
        roomId,
        seq,
      ])
      return before
    },
  },
  {
    name: 'the text of another message',
    async make(db, { roomId, seq }, { after }) {
      await db.query(
        `update "message" m set "body" = o."body", "bodyHash" = o."bodyHash" from "message" o
         where m."roomId" = $1 and m."seq" = $2 and o."roomId" = m."roomId" and o."seq" = m."seq" + 1`,
        [roomId, seq],
      )
      await db.query('delete from "message" where "roomId" = $1 and "seq" = $2', [roomId, seq + 1])
      return after
    },
  },
]

const unfunded = {
  text: 'Write one short text.',
  criteria: [{ text: 'It is there.' }],
  budget: '10000000',
  review_hours: 1,
  visibility: 'public',
  rail: 'escrow',
}

/** Of each way to read, the first that reads what was changed: what it shows is not the changed text. */
async function readChanged(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const pairs = readers.flatMap((reader) => changes.map((change) => ({ reader, change })))
  const work = async () => {
    await using db = await connectTo(place)
    for (let next = pairs.shift(); next; next = pairs.shift()) {
      const { reader, change } = next
      const { room, words } = await fillRoom(place, change)
      const shown = await change.make(db.client, room, words)
      const text = await reader.read(place, room)
      if (text.includes(shown))
        faults.push(fault('what is stored is verified', reader.name, `shows ${change.name} of the database as genuine`))
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  await using db = await connectTo(place)
  return [...faults, ...(await readByAgents(place, db.client)), ...(await readFiles(place, db.client))]
}

/** Without the triggers that keep the log as it is. */
async function connectTo({ installation }: Place): Promise<AsyncDisposable & { readonly client: Client }> {
  const client = new Client({ connectionString: installation.world.database.url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

/** A room of its own, because whatever is found once is set apart for everybody. */
async function fillRoom(place: Place, change: Change): Promise<{ room: Room; words: Words }> {
  const { client } = place.scene.people
  const goal = { ...unfunded, deadline: new Date(Date.now() + 3_600_000).toISOString() }
  const { goal_id, room_id } = await sendWithRetry<{ goal_id: string; room_id: string }>(client, {
    type: 'goal.post',
    id: newId(),
    goal,
    attachments: [],
  })
  const [common, before, after] = [secretWord(), secretWord(), secretWord()]
  const say = async (text: string) =>
    (await sendWithRetry<{ seq: number }>(client, { type: 'message.post', room_id, parts: [{ text }] })).seq
  await say(`${common} is the first.`)
  const seq = await say(`${common} ${before}`)
  await say(change.name === 'the text of another message' ? `${common} ${after}` : `${common} is the last.`)
  return { room: { goalId: goal_id, roomId: room_id, seq, common }, words: { before, after } }
}

/** By the doors of agents, in the room that they work in. */
async function readByAgents(place: Place, db: Client): Promise<Fault[]> {
  const roomId = place.scene.goals.work.roomId
  const ways: readonly [string, (seq: number) => Promise<string>][] = [
    ['the poll', async () => (await ask(hubRequest(place, 'helper', 'GET', '/v1/messages?wait=1'))).text],
    ['the socket', (seq) => readBySocket(place, roomId, seq)],
    ['the socket, from the beginning', () => readBySocket(place, roomId, 1)],
  ]
  const faults: Fault[] = []
  for (const [name, read] of ways) {
    const [before, after] = [secretWord(), secretWord()]
    const said = await run(place, 'lead', { type: 'message.post', room_id: roomId, parts: [{ text: before }] })
    if (!isTaken(said)) continue
    const { seq } = JSON.parse(said.text) as { seq: number }
    await run(place, 'lead', { type: 'message.post', room_id: roomId, parts: [{ text: 'A last word.' }] })
    await db.query('update "message" set "body" = replace("body", $1, $2) where "roomId" = $3 and "seq" = $4', [before, after, roomId, seq])
    if ((await read(seq)).includes(after))
      faults.push(fault('what is stored is verified', name, 'delivers a changed character of the database as genuine'))
  }
  return faults
}

async function readBySocket({ installation, scene, lines }: Place, roomId: string, after: number): Promise<string> {
  lines.worker?.close()
  delete lines.worker
  const line = await connectAgent(installation.hub.url, scene.agents.worker)
  line.send(JSON.stringify({ type: 'subscribe', room_id: roomId, after: after - 1 }))
  await line.next(() => false, 1_500)
  const text = line.take().join('\n')
  line.close()
  return text
}

/** Files under a hash that their bytes no longer have. */
async function readFiles(place: Place, db: Client): Promise<Fault[]> {
  const { scene, installation } = place
  const words: string[] = []
  const file = () => {
    const word = secretWord()
    words.push(word)
    return textUpload(`A file about ${word}.`)
  }
  const callId = await callWith(place, file, secretWord)
  const posted = await sendWithRetry<{ goal_id: string; room_id: string }>(scene.people.client, {
    type: 'goal.post',
    id: newId(),
    goal: { ...unfunded, deadline: new Date(Date.now() + 3_600_000).toISOString() },
    attachments: [file()],
  })
  const { artifact, call } = installation.world.system.db
  const [own, asked] = await Promise.all([
    artifact.findFirst({ where: { goalId: posted.goal_id } }),
    call.findUnique({ where: { id: callId } }),
  ])
  const ofCall = /"sha256":"([0-9a-f]{64})"/.exec(JSON.stringify([asked?.attachments, asked?.artifacts]))?.[1] ?? ''
  const changed = await db.query(`update "artifact_blob" set "bytes" = set_byte("bytes", 2, 88) where "sha256" = any($1::text[])`, [
    [own?.sha256 ?? '', ofCall],
  ])
  if (changed.rowCount !== 2) return [fault('what is stored is verified', 'the attack', `changed ${changed.rowCount} files, not 2`)]
  const ways: [string, () => Promise<string>][] = [
    [
      'GET /api/artifacts',
      async () => (await ask(webRequest(place, 'client', 'GET', `/api/artifacts/${posted.goal_id}/${own?.sha256}`))).text,
    ],
    ['GET /api/calls', async () => (await ask(webRequest(place, 'client', 'GET', `/api/calls/${callId}/${ofCall}`))).text],
    ['channels.getFile', async () => (await query(place, 'client', 'channels.getFile', { call_id: callId, sha256: ofCall })).text],
    ['call.get', async () => (await run(place, 'helper', { type: 'call.get', call_id: callId, sha256: ofCall })).text],
  ]
  const faults: Fault[] = []
  for (const [name, read] of ways) {
    const text = await read()
    const inside = [...text.matchAll(/"content":"([A-Za-z0-9+/=]+)"/g)]
      .map(([, one = '']) => Buffer.from(one, 'base64').toString('utf8'))
      .join()
    if (words.some((word) => `${text} ${inside}`.includes(word)))
      faults.push(fault('what is stored is verified', name, 'gives out bytes that do not have their hash'))
  }
  return faults
}

export const tamperedStores: Attack = {
  name: 'each way to read a changed database',
  spoils: true,
  isLogged: /is a dead letter now|could not be read|do not match its hash/,
  run: readChanged,
}
