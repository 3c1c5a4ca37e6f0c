/** Who takes part in a scene: people with a session, agents with a token or a key, and how they speak through the public doors. */
import { randomBytes } from 'node:crypto'
import { type Charter, hasOwnKey, prefixedId, randomSeed, type Signer, signEnvelope, signerFromSeed, uuidv7 } from '@parley/protocol'
import { buildMessage, isRoomCommand } from '../../../agents/src/messages/build-message.ts'
import { hashSecret } from '../../../server/identity/hash-secret.ts'
import { stepPrice } from '../../support/goal-fixture.ts'
import type { TestPerson, TestWorld } from '../../support/world.ts'
import { maxListings, operator as operatorAccount } from './installation.ts'
import { connectAgent, type Line } from './socket.ts'
import { worldSentence } from './world-texts.ts'

export const personRoles = ['client', 'publisher', 'stranger', 'operator'] as const
export const agentRoles = ['lead', 'helper', 'worker', 'planner', 'outsider'] as const
export const roles = ['anonymous', ...personRoles, ...agentRoles] as const
/**
 * `lead` plans the client's goals, `helper` and `worker` are its team; `planner` and
 * `outsider` plan for any client and have no work here. `worker` and `planner` have a key and come by socket, the others have a token.
 */
export type Role = (typeof roles)[number]
export type PersonRole = (typeof personRoles)[number]
export type AgentRole = (typeof agentRoles)[number]

/** `session`: of the web; also a bearer token at the doors of other protocols. */
export type ScenePerson = TestPerson & { readonly session: string; readonly address: `0x${string}` }
export type SceneAgent = {
  readonly agentId: string
  readonly handle: string
  readonly did: string
  readonly inboxId: string
  readonly token: string
  readonly payee: `0x${string}`
  readonly signer: Signer
  /** While the scene is made, of who has a key. */
  readonly line: Line | null
}
export const newId = () => uuidv7(Date.now(), randomBytes(10))
export const newCallId = () => prefixedId('cal', newId())
export const newEntryId = () => prefixedId('ent', newId())
export const newSalt = () => `0x${randomBytes(32).toString('hex')}` as const

export async function openSession(world: TestWorld, person: TestPerson): Promise<string> {
  const token = world.system.ids.secret()
  const { db, ids } = world.system
  const address = person.account.address.toLowerCase()
  await db.person.upsert({
    where: { id: person.did },
    create: { id: person.did, address, chainId: world.chain.chainId, createdAt: new Date() },
    update: {},
  })
  const expiresAt = new Date(Date.now() + 3_600_000)
  const dates = { createdAt: new Date(), seenAt: new Date(), expiresAt }
  await db.session.create({
    data: { id: ids.next('ses'), tokenHash: hashSecret(token), personId: person.did, userAgent: 'fuzz', ...dates },
  })
  return token
}

export async function personIn(world: TestWorld, usdc: bigint): Promise<ScenePerson> {
  const person = await world.person({ usdc })
  return { ...person, session: await openSession(world, person), address: person.account.address.toLowerCase() as `0x${string}` }
}

export async function operatorIn(world: TestWorld): Promise<ScenePerson> {
  const template = await world.person({ usdc: 0n, isOperator: true })
  const address = operatorAccount.address.toLowerCase() as `0x${string}`
  const did = template.did.replace(/0x[0-9a-f]{40}$/, address)
  const person = { ...template, account: operatorAccount, did }
  return { ...person, session: await openSession(world, person), address }
}

export function draftFor(handle: string, skillId: string, payout: string) {
  const skill = {
    id: skillId,
    name: skillId,
    description: `Does ${skillId}.`,
    inputs: skillId.startsWith('goal.') ? [] : [{ name: 'in_0', type: 'text.plain', optional: true }],
    outputs: [{ name: 'out_0', type: skillId.startsWith('goal.') ? 'plan' : 'text.plain' }],
    price: stepPrice.toString(),
  }
  return { handle, name: handle, summary: `The agent ${handle}.`, readme: '# What it does\n\nIt writes.', skills: [skill], payout }
}

/** Handles of the listings that scenes are made of. */
const ownHandles = new Set<string>()

/** A wallet may have a limited number of listings, and the cases have published some: withdraws one of theirs. */
async function withdrawSpare({ system }: TestWorld, owner: ScenePerson): Promise<void> {
  const active = await system.db.listing.findMany({ where: { ownerId: owner.did, withdrawnAt: null } })
  const spare = active.find(({ handle }) => !ownHandles.has(handle))
  if (active.length >= maxListings && spare) await owner.send({ type: 'listing.withdraw', agent_id: spare.agentId })
}

export async function agentIn(
  world: TestWorld,
  owner: ScenePerson,
  handle: string,
  [skillId = '', ...more]: readonly string[],
): Promise<SceneAgent> {
  const draft = draftFor(handle, skillId, owner.address)
  const skills = [...draft.skills, ...more.flatMap((id) => draftFor(handle, id, owner.address).skills)]
  const named = skills.map((skill) => ({ ...skill, name: `${skill.id} 文書`, description: `${skill.description} ${worldSentence}` }))
  const texts = { name: `${handle} 報告`, summary: `The agent 「${handle}」 😀 – “100%25”.`, readme: `${draft.readme}\n\n${worldSentence}` }
  const listing = { ...draft, ...texts, skills: named }
  await withdrawSpare(world, owner)
  ownHandles.add(handle)
  const published = await owner.send<{ agent_id: string; did: string; token: string }>({ type: 'listing.publish', listing })
  const { inboxId } = await world.system.db.listing.findUniqueOrThrow({ where: { agentId: published.agent_id } })
  const signer = await signerFromSeed(randomSeed())
  return {
    agentId: published.agent_id,
    handle,
    did: published.did,
    inboxId,
    token: published.token,
    payee: owner.address,
    signer,
    line: null,
  }
}

/** It is called by its key from then on, so that it has to be known before the agent joins a room. */
export async function withKey(hubUrl: string, agent: SceneAgent): Promise<SceneAgent> {
  return { ...agent, did: agent.signer.did, line: await connectAgent(hubUrl, agent) }
}

/**
 * The command as its agent sends it. Of an agent with a key, a command that leaves a message in a room has that message, signed.
 * `charter`: of the room, for the commands that need it.
 */
export async function signedBy<T extends { readonly type: string }>(
  { did, signer }: SceneAgent,
  room_id: string,
  body: T,
  charter: () => Promise<Charter | null> = async () => null,
): Promise<object> {
  if (!hasOwnKey(did) || !isRoomCommand(body)) return body
  const context = { did, room_id, state: 'discussion', charter, signCharter: async () => undefined, traceparent: undefined } as const
  const envelope = await signEnvelope(signer, await buildMessage(body, context))
  return body.type === 'message.post' ? { type: body.type, room_id, envelope } : { ...body, envelope }
}

let sent = 0
async function commandBySocket(line: Line, body: object): Promise<unknown> {
  const id = `scene${++sent}`
  line.send(JSON.stringify({ type: 'command', id, command: body }))
  const answer = await line.next((frame) => frame.id === id, 20_000)
  if (answer?.type !== 'result') throw new Error(`${JSON.stringify(body).slice(0, 80)}: ${JSON.stringify(answer).slice(0, 300)}`)
  return answer.result
}

/** Runs a command as the agent, over the public door. */
export async function command<T = Record<string, unknown>>(hubUrl: string, agent: SceneAgent, body: object): Promise<T> {
  if (agent.line) return (await commandBySocket(agent.line, body)) as T
  const response = await fetch(`${hubUrl}/v1/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${JSON.stringify(body).slice(0, 80)}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}
