import { textUpload } from '../../support/goal-fixture.ts'
import { deliver } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { agentIn, command, openSession, personIn, type Role, type SceneAgent, withKey } from '../ground/cast.ts'
import { charterFor } from '../ground/goals.ts'
import { shownBy } from '../ground/http.ts'
import { secretWord } from '../ground/scene.ts'
import { kindOf } from '../inputs/id-kinds.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { hubRequest, type Operation, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

/** A private room with two agents that it had as members, of another owner. */
type Room = {
  readonly place: Place
  readonly ids: { readonly [kind: string]: string }
  /** Posted while they were members, and later. */
  readonly words: { readonly before: string; readonly after: string }
  readonly byToken: SceneAgent
  readonly byKey: SceneAgent
}

async function invite(place: Place): Promise<Room> {
  const { installation, scene } = place
  const { world, hub } = installation
  const owner = await personIn(world, 100_000_000n)
  const tag = `fm${Date.now().toString(36)}`
  const byToken = await agentIn(world, owner, `${tag}a`, ['text.first'])
  const byKey = await withKey(hub.url, await agentIn(world, owner, `${tag}b`, ['text.second']))
  const words = { before: secretWord(), after: secretWord() }
  const goal = await world.postFundedGoal(scene.people.client, {
    ...{ text: `Write about ${words.before}, and tell nobody.`, criteria: [`It mentions ${words.before}.`], visibility: 'private' },
    ...{ planners: [scene.agents.lead.agentId], attachments: [textUpload(`A file about ${words.before}.`)] },
  })
  const { lead } = scene.agents
  const run = (body: object) => command(hub.url, lead, { goal_id: goal.id, ...body })
  const team = { world, hubUrl: hub.url, client: scene.people.client, publisher: scene.people.publisher, agents: scene.agents }
  const charter = charterFor({ ...team, agents: { ...scene.agents, helper: byToken, worker: byKey } }, goal)
  await run({ type: 'goal.claim' })
  await run({ type: 'team.propose', charter })
  await command(hub.url, lead, { type: 'message.post', room_id: goal.roomId, parts: [{ text: `Remember ${words.before}.` }] })
  const file = await world.system.db.artifact.findFirst({ where: { goalId: goal.id } })
  const people = { ...scene.people, stranger: { ...owner, session: await openSession(world, owner) } }
  const own: Place = { ...place, scene: { ...scene, people, agents: { ...scene.agents, outsider: byToken } }, lines: {} }
  const ids = { gol: goal.id, rom: goal.roomId, ...(file && { hash: file.sha256 }) }
  return { place: own, ids, words, byToken, byKey }
}

/** Another team without them, and one more word. */
async function dismiss({ place, ids, words }: Room): Promise<void> {
  const { installation, scene } = place
  const { world, hub } = installation
  const goal = await world.goal(ids.gol ?? '')
  const team = { world, hubUrl: hub.url, client: scene.people.client, publisher: scene.people.publisher, agents: scene.agents }
  const charter = { ...charterFor(team, goal as never), version: 2 }
  const run = (body: object) => command(hub.url, scene.agents.lead, body)
  await run({ type: 'team.propose', goal_id: ids.gol, charter })
  await run({ type: 'message.post', room_id: ids.rom, parts: [{ text: `Remember ${words.after}.` }] })
  await pause(500)
}

const formers: readonly Role[] = ['outsider', 'stranger']

/** Who has left a room reads nothing of it, by any operation, socket or stream, and posts nothing there. */
async function readAfterwards(place: Place): Promise<Fault[]> {
  const room = await invite(place)
  const { byKey, words } = room
  const faults: Fault[] = []
  const operations = (await plainOperations(place.installation)).filter(
    ({ name, isReading, isStream }) => isReading && !isStream && /^(trpc|command|mcp|a2a|page|hub):/.test(name),
  )
  const line = byKey.line
  line?.take()
  const before = await readAll(room, operations, [words.before])
  if (before.length === 0) faults.push(fault('former members', 'the attack', 'a member could not read its room'))
  await pause(300)
  await dismiss(room)
  const after = await readAll(room, operations, [words.before, words.after])
  faults.push(...after)
  const received = line?.take().join('\n') ?? ''
  if (received.includes(words.after)) faults.push(fault('former members', 'socket', 'a later message was delivered'))
  faults.push(...(await speakAfterwards(room)))
  line?.close()
  return faults
}

/** Every operation with the ids of the room: which of them shows one of the words. */
async function readAll({ place, ids }: Room, operations: readonly Operation[], words: readonly string[]): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const operation of operations)
    for (const role of formers.filter((one) => operation.roles.includes(one))) {
      const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
      const input = positionsOf(base, operation.schema).reduce<Value>((value, { path, value: old }) => {
        const id = typeof old === 'string' ? ids[kindOf(old) ?? ''] : undefined
        return id === undefined ? value : replaceAt(value, path, () => id)
      }, base)
      const answer = await deliver(place, operation, operation.request(place, role, input))
      faults.push(...answerFaults(operation.name, answer).filter(({ oracle }) => oracle === 'no bug'))
      const shown = `${shownBy(answer)} ${contentsIn(answer.text)}`
      const seen = words.find((word) => shown.includes(word))
      if (seen !== undefined) faults.push(fault('former members', operation.name, `${role} received a word that is the room's`))
    }
  return faults
}

const contentsIn = (text: string) =>
  [...text.matchAll(/"content":"([A-Za-z0-9+/=]+)"/g)].map(([, one = '']) => Buffer.from(one, 'base64').toString('utf8')).join(' ')

/** By the socket that was open before, by a poll, and by a message. */
async function speakAfterwards({ place, ids, words, byKey }: Room): Promise<Fault[]> {
  const faults: Fault[] = []
  const post = { type: 'message.post', room_id: ids.rom, parts: [{ text: 'I am still here.' }] }
  const request = hubRequest(place, 'outsider', 'POST', '/v1/commands', JSON.stringify(post))
  const posted = await deliver(place, { isStream: false }, request)
  if (posted.status < 300) faults.push(fault('former members', 'message.post', `was taken: ${posted.text.slice(0, 120)}`))
  const polled = await deliver(place, { isStream: false }, hubRequest(place, 'outsider', 'GET', '/v1/messages?wait=0'))
  if (polled.text.includes(words.after)) faults.push(fault('former members', 'GET /v1/messages', 'a later message was delivered'))
  const { line } = byKey
  if (line?.isOpen()) {
    line.take()
    line.send(JSON.stringify({ type: 'subscribe', room_id: ids.rom, after: 0 }))
    await pause(500)
    const received = line.take().join('\n')
    if (received.includes(words.before) || received.includes(words.after))
      faults.push(fault('former members', 'socket subscribe', 'the room was delivered'))
  }
  return faults
}

export const formerMembers: Attack = { name: 'former members', run: readAfterwards }
