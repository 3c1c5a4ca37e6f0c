/** Valid inputs whose parts have to agree with each other. Whatever is not here is made of its schema and of what is alive. */
import { charterHash, charterTypedData } from '@parley/protocol'
import { dispatchCommand } from '../../../server/commands/index.ts'
import { discoverListings, getKeyTerms, getPayoutTerms } from '../../../server/registry/index.ts'
import { getPayoutAccountTerms } from '../../../server/settlement/index.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { newTaskId, planOf } from '../../support/goal-fixture.ts'
import { draftFor, newCallId, newEntryId, newId, type Role, signedBy } from '../ground/cast.ts'
import type { SceneGoal } from '../ground/goals.ts'
import { agentContext, charterOf } from '../ground/scene.ts'
import { worldFile, worldSentence } from '../ground/world-texts.ts'
import type { Value } from '../inputs/json-text.ts'
import { declinedEntry } from './declined-entry.ts'
import { moneyRecipes, waitingCall } from './money-recipes.ts'
import { notificationRecipes } from './notification-recipes.ts'
import { isAgent, type Place, type Recipe } from './operations.ts'

let handles = 0
export const newHandle = () => `fz${Date.now().toString(36)}x${++handles}`

const asValue = (value: unknown): Value => value as Value

const goalPost: Recipe = ({ scene }, role) => ({
  id: newId(),
  goal: {
    text: `Write one short text about the sea, please. ${worldSentence}`,
    criteria: [{ text: `It is about the sea. ${worldSentence}` }],
    budget: '10000000',
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
    review_hours: 1,
    visibility: 'public',
    planner: 'deterministic',
    message_limits: { max_messages: 1_000, max_bytes: 1_000_000, enforce_turns: false, max_repeats: 7 },
    rail: 'escrow',
    // Only its client can follow a goal.
    ...(role === 'client' && { follows: scene.goals.review.id }),
  },
  attachments: [worldFile('An attachment.')],
})

const listing = (place: Place, handle: string, skill = 'text.fuzz'): Value => ({
  ...draftFor(handle, skill, place.scene.people.publisher.address),
  policy: { note: 'text' },
})

/** It goes on offering what others have hired it for. */
const revise: Recipe = (place) => {
  const { agentId, handle } = place.scene.agents.helper
  return { agent_id: agentId, listing: listing(place, handle, 'text.first') }
}

const say = ({ scene }: Place): Value => ({
  room_id: scene.goals.work.roomId,
  act: 'discussion',
  parts: [{ text: 'A **word** about it.' }, { data: { kind: 'note', words: ['one', 'two'] } }],
})

/** What this role's agent plans: the socket's planner has a goal of its own. */
const plannedBy = ({ scene }: Place, role: string, otherwise: SceneGoal) => (role === 'planner' ? scene.goals.free : otherwise)

/** The previous assignee gives the step up first, so that there is always one to assign. */
const assign: Recipe = async ({ installation, scene }) => {
  const { world } = installation
  const last = await world.system.db.task.findFirst({ where: { goalId: scene.goals.work.id, step: 2 }, orderBy: { id: 'desc' } })
  const worker = agentContext(world, scene, 'worker')
  if (last && worker) {
    const fail = { type: 'task.fail', task_id: last.id, reason: 'There is no time.' }
    await dispatchCommand(worker, await signedBy(scene.agents.worker, last.roomId, fail)).catch(() => undefined)
  }
  const reworks = last ? { reworks: last.id } : {}
  return { goal_id: scene.goals.work.id, task_id: newTaskId(), step: 2, ...reworks, inputs: [], task_desc: 'Write the second text.' }
}

const propose: Recipe = async (place, role) => {
  const { installation, scene } = place
  const goal = await installation.world.goal(plannedBy(place, role, scene.goals.open).id)
  const principal = role === 'planner' ? scene.agents.planner : scene.agents.lead
  return asValue({ goal_id: goal.id, charter: charterOf(installation, scene, goal, principal) })
}

/** All that it takes to begin is there but for this word. */
const seal: Recipe = async (place, role) => {
  const { installation, scene } = place
  const accept = (await acceptTeam(place, role)) as { [field: string]: Value }
  for (const member of ['helper', 'worker'] as const) {
    const ctx = agentContext(installation.world, scene, member)
    const signed = await signedBy(scene.agents[member], scene.goals.forming.roomId, { type: 'team.accept', ...accept })
    if (ctx) await dispatchCommand(ctx, signed).catch(() => undefined)
  }
  return { goal_id: scene.goals.forming.id }
}

const submit: Recipe = async ({ installation, scene }) => {
  const goal = await installation.world.goal(scene.goals.copilot.id)
  return asValue({ goal_id: goal.id, charter: charterOf(installation, scene, goal), reason: 'These are the cheapest.' })
}

/** The word of a member on the charter that waits for it. */
const acceptTeam: Recipe = async ({ installation, scene }) => {
  const goal = await installation.world.goal(scene.goals.forming.id)
  const charter = charterOf(installation, scene, goal)
  const [hash, plan] = await Promise.all([charterHash(charter), planOf(installation.world, goal.id)])
  if (!plan) throw new Error('the money of the goal lies in no escrow')
  const { account, address } = scene.people.publisher
  const signature = await account.signTypedData(charterTypedData(charter, hash, plan))
  return { goal_id: goal.id, charter_hash: hash, member_signature: { signer: address, signature } }
}

const writePlan: Recipe = async (place, role) => {
  const { roomId } = plannedBy(place, role, place.scene.goals.work)
  const newest = await place.installation.world.system.db.planVersion.findFirst({ where: { roomId }, orderBy: { version: 'desc' } })
  return { room_id: roomId, based_on: newest?.version ?? 0, text: '# Plan\n\n1. Write.\n2. Read.' }
}

/** A listing that nobody needs; the one of before where it is still there. */
const spareListing = async ({ installation, scene }: Place): Promise<{ [name: string]: Value }> => {
  const { publisher } = scene.people
  const where = { ownerId: publisher.did, handle: { startsWith: 'spare' }, withdrawnAt: null }
  const known = await installation.world.system.db.listing.findFirst({ where })
  if (known) return { agent_id: known.agentId }
  const { agent_id } = await installation.world.publish(publisher, draftFor(`spare${newHandle()}`, 'text.fuzz', publisher.address) as never)
  return { agent_id }
}

const rotateKey: Recipe = async (place) => {
  const { agent_id } = await spareListing(place)
  const { publisher } = place.scene.people
  const { typedData, deadline } = await getKeyTerms(publisher.ctx, String(agent_id), false)
  const signature = await publisher.account.signTypedData(typedData as never)
  return { agent_id: asValue(agent_id), unbind: false, deadline, signature }
}

const changePayout: Recipe = async (place) => payoutTo(place, place.scene.people.publisher.address.toLowerCase())

async function payoutTo(place: Place, payout: string): Promise<{ [name: string]: Value }> {
  const { agent_id } = await spareListing(place)
  const { publisher } = place.scene.people
  const { typedData, deadline } = await getPayoutTerms(publisher.ctx, String(agent_id), { payout })
  const signature = await publisher.account.signTypedData(typedData as never)
  return { agent_id: asValue(agent_id), payout, deadline, signature }
}

/** A change waits that it can cancel. */
const cancelPayout: Recipe = async (place) => {
  const { publisher, client } = place.scene.people
  const spare = await spareListing(place)
  const waiting = await place.installation.world.system.db.payoutChange.findUnique({ where: { agentId: String(spare.agent_id) } })
  if (!waiting) await publisher.send({ type: 'payout.change', ...(await payoutTo(place, client.address)) })
  return spare
}

const openAccount: Recipe = async ({ scene }) => {
  const { ctx, account } = scene.people.publisher
  const { typedData, deadline } = getPayoutAccountTerms(ctx)
  return { deadline, signature: await account.signTypedData(typedData as never) }
}

/** One of those that were said for it, in a goal that is over. */
const spareMessage: Recipe = ({ scene }) => ({ room_id: scene.over.roomId, seq: scene.over.messages.pop() ?? 1 })

/** One of the agent's own, in the goal that was paid. */
const ownMessage: Recipe = async ({ installation, scene }, role) => {
  const roomId = scene.goals.paid.roomId
  const senderId = isAgent(role) ? scene.agents[role].did : ''
  const own = await installation.world.system.db.message.findFirst({ where: { roomId, senderId }, orderBy: { seq: 'desc' } })
  return { room_id: roomId, seq: own?.seq ?? 1 }
}

const revokeRule: Recipe = async (place) => ({
  rule_id: (await place.scene.people.operator.send<{ rule_id: string }>({ type: 'rule.create', rule: rule(place) })).rule_id,
})

const withdrawnDemand: Recipe = async ({ scene }) => {
  const text = 'Sing me a song about the sea.'
  return { demand_id: (await scene.people.client.send<{ demand_id: string }>({ type: 'demand.post', id: newId(), text })).demand_id }
}

let peers = 20_000
/** Nobody answers there. */
const peer = ({ scene }: Place) => {
  peers = peers >= 60_000 ? 20_001 : peers + 1
  return { origin: `http://127.0.0.1:${peers}`, server_did: scene.agents.worker.signer.did, hub_url: `http://127.0.0.1:${peers}` }
}
const removePeer: Recipe = async (place) => {
  const { origin, server_did, hub_url } = peer(place)
  await place.scene.people.operator.send({ type: 'peer.add', origin, server_did, hub_url })
  return { origin }
}

/** With a place in the list that the market itself has given out. */
const discover: Recipe = async ({ installation }) => {
  const { next } = await discoverListings(installation.world.system, { limit: 1, sort: 'newest' })
  return { text: 'writes', limit: 10, sort: 'newest', ...(next !== null && { after: next }) }
}

const pool: Recipe = ({ scene }) => ({
  entries: [
    {
      resource: scene.agents.worker.signer.did,
      kind: 'agent',
      name: 'A writer',
      summary: 'It writes.',
      operator: scene.people.stranger.did,
      host: 'example.org',
      topics: ['text'],
      skills: ['text.first'],
      pool: 'private',
      state: 'testing',
      reason: 'It is being tested.',
      checks: 1,
      fingerprint: '',
      tested_at: null,
      admission: null,
    },
  ],
})

/** The task that this role's agent has in hand. */
async function taskOf({ installation, scene }: Place, role: string): Promise<string> {
  const step = role === 'worker' ? 2 : 1
  const { db } = installation.world.system
  const newest = await db.task.findFirst({ where: { goalId: scene.goals.work.id, step }, orderBy: { id: 'desc' } })
  return newest?.id ?? scene.tasks.underway
}

/** A command of an agent with a key, with its signed message, where the room that it is for is known. */
export async function withMessage(
  place: Place,
  role: Role,
  command: { readonly type: string; readonly [name: string]: Value },
): Promise<Value> {
  if (!isAgent(role)) return command
  const { system } = place.installation.world
  const { goal_id, task_id, room_id } = command
  try {
    const task = typeof task_id === 'string' ? await system.db.task.findUnique({ where: { id: task_id } }) : null
    const goal = typeof goal_id === 'string' ? await place.installation.world.goal(goal_id) : null
    const room = typeof room_id === 'string' ? room_id : (task?.roomId ?? goal?.roomId)
    if (room === undefined) return command
    const charter = async () => (goal ? (await getTeam(system, goal.id)).charter : null)
    return asValue(await signedBy(place.scene.agents[role], room, command, charter))
  } catch {
    return command
  }
}

/** By its recipe; where nothing is left that it could be done to, of its schema. */
export async function inputOf(recipe: Recipe | undefined, place: Place, role: Role, otherwise: () => Value): Promise<Value> {
  if (!recipe) return otherwise()
  try {
    return await recipe(place, role)
  } catch {
    return otherwise()
  }
}

/** By command type, and by procedure where that takes the same. */
export const recipes: { readonly [name: string]: Recipe } = {
  ...moneyRecipes,
  ...notificationRecipes,
  'goal.post': goalPost,
  'goals.post': goalPost,
  'goals.quote': () => ({ text: 'The annual revenue of Microsoft from 2014 to 2020 in a report', budget: '10000000' }),
  'goals.findExamples': (place) => ({
    skills: draftFor(newHandle(), 'text.fuzz', place.scene.people.publisher.address).skills,
    skill_id: 'text.fuzz',
  }),
  'goal.claim': (place, role) => ({ goal_id: plannedBy(place, role, place.scene.goals.open).id }),
  'goal.conclude': (place, role) => ({
    goal_id: plannedBy(place, role, place.scene.goals.work).id,
    outcome: 'failed',
    parts: [{ text: 'It failed.' }, { data: { kind: 'why' } }],
  }),
  'listing.publish': (place) => ({ listing: listing(place, newHandle()) }),
  'registry.publish': (place) => ({ listing: listing(place, newHandle()) }),
  'listing.revise': revise,
  'registry.revise': revise,
  'message.post': say,
  'conversations.post': ({ scene }) => ({
    room_id: scene.goals.work.roomId,
    text: 'A **word** about it.',
    to: [scene.people.client.did],
  }),
  'plan.propose': writePlan,
  'team.propose': propose,
  'team.accept': acceptTeam,
  'team.decline': ({ scene }) => ({ goal_id: scene.goals.forming.id, reason: 'There is no time.' }),
  'team.seal': seal,
  'sub_team.create': async (place, role) => ({ task_id: await taskOf(place, role) }),
  'charter.submit': submit,
  'charter.confirm': ({ scene }) => ({ goal_id: scene.goals.copilot.id, charter_hash: scene.draftHash, steps: [1] }),
  'charters.confirm': ({ scene }) => ({ goal_id: scene.goals.copilot.id, charter_hash: scene.draftHash, steps: [1] }),
  'charters.refuse': ({ scene }) => ({ goal_id: scene.goals.copilot.id, charter_hash: scene.draftHash, step: 2, reason: 'Too dear.' }),
  'listing.discover': async (place, role) => ({ query: await discover(place, role) }),
  'registry.discover': discover,
  'registry.listFacets': discover,
  'registry.withdraw': spareListing,
  'registry.erase': spareListing,
  'registry.rotateKey': rotateKey,
  'listing_key.rotate': rotateKey,
  'payout.change': changePayout,
  'registry.changePayout': changePayout,
  'payout_account.open': openAccount,
  'settlement.openPayoutAccount': openAccount,
  'payout_change.cancel': cancelPayout,
  'registry.cancelPayoutChange': cancelPayout,
  'registry.findPayoutChange': spareListing,
  'registry.getKeyTerms': async (place) => ({ ...(await spareListing(place)), unbind: false }),
  'registry.getPayoutTerms': async (place) => ({
    ...(await spareListing(place)),
    payout: place.scene.people.publisher.address.toLowerCase(),
  }),
  'call.answer': async (place) => ({ call_id: await waitingCall(place), artifacts: [worldFile('The answer.')], text: 'Here it is.' }),
  'call.decline': async (place) => ({ call_id: await waitingCall(place), reason: 'There is no time.' }),
  'call.get': async (place) => ({ call_id: await waitingCall(place) }),
  'skill.test': ({ scene }) => ({ call_id: newCallId(), agent_id: scene.agents.helper.agentId, skill_id: 'text.first' }),
  'skillTests.start': ({ scene }) => ({ call_id: newCallId(), agent_id: scene.agents.lead.agentId, skill_id: 'goal.plan' }),
  'skillTests.list': ({ scene }) => ({ agent_id: scene.agents.helper.agentId }),
  'skillTests.listTested': ({ scene }) => ({ agent_ids: [scene.agents.helper.agentId] }),
  'message.erase': ownMessage,
  'artifact.erase': ({ scene }) => ({ room_id: scene.goals.paid.roomId, sha256: scene.paidSha256 }),
  'artifact.get': ({ scene }) => ({ room_id: scene.goals.review.roomId, sha256: scene.sha256 }),
  'conversations.erase': spareMessage,
  'entry.submit': ({ scene }) => ({
    ...{ goal_id: scene.goals.contest.id, entry_id: newEntryId(), price: '1000000', text: 'It is done.' },
    artifacts: [worldFile('The entry.')],
  }),
  'entry.choose': choice,
  'entry.erase': declinedEntry,
  'contests.erase': declinedEntry,
  'contests.choose': choice,
  'contests.list': ({ scene }) => ({ goal_id: scene.goals.contest.id }),
  'contests.getFile': async ({ installation, scene }) => {
    const entry = await installation.world.system.db.entry.findUnique({ where: { id: scene.entryId } })
    const [file] = (entry?.files ?? []) as { sha256: string }[]
    return { entry_id: scene.entryId, sha256: file?.sha256 ?? '0'.repeat(64) }
  },
  'demand.post': () => ({ id: newId(), text: 'Sing me a song about the sea.' }),
  'demand.withdraw': withdrawnDemand,
  'goals.withdrawDemand': withdrawnDemand,
  'memory.erase': ({ scene }, role) => (role === 'client' ? { agent_id: scene.agents.helper.agentId } : { key: 'note' }),
  'federation.addPeer': peer,
  'federation.removePeer': removePeer,
  'policy.revokeRule': revokeRule,
  'pool.report': pool,
  'reputation.give': ({ scene }) => ({ task_id: scene.tasks.paid, value: 80, text: 'It was good.' }),
  'feedback.give': ({ scene }) => ({ task_id: scene.tasks.paid, value: 80, text: 'It was good.' }),
  'settlement.reclaim': ({ scene }) => ({ goal_id: scene.goals.draft.id }),
  'task.assign': assign,
  'task.progress': async (place, role) => ({ task_id: await taskOf(place, role), text: 'Half of it.', done: 50 }),
  'task.complete': async (place, role) => ({
    task_id: await taskOf(place, role),
    artifacts: [worldFile('The text.')],
    text: 'It is done.',
  }),
  'task.fail': async (place, role) => ({ task_id: await taskOf(place, role), reason: 'It can not be done.' }),
  'tasks.accept': ({ scene }) => ({ goal_id: scene.goals.review.id, task_ids: [scene.tasks.doneSecond] }),
  'tasks.return': ({ scene }) => ({ goal_id: scene.goals.review.id, task_ids: [scene.tasks.done], reason: 'It is too short.' }),
  'deadline.extend': later,
  'goals.extendDeadline': later,
  'goal.pause': work,
  'goals.pause': work,
  'goal.resume': work,
  'goals.resume': work,
  'revision.request': revision,
  'goals.requestRevision': revision,
  'memory.write': ({ scene }) => ({ key: 'note', about: scene.people.client.did, note: { likes: 'short texts' }, days: 1 }),
  // It forbids nothing: what comes after it is to go on.
  'policy.createRule': (place) => ({ rule: rule(place) }),
  'rule.create': (place) => ({ rule: rule(place) }),
}

function choice({ scene }: Place): Value {
  return { goal_id: scene.goals.contest.id, entry_id: scene.entryId, reason: 'Another one is better.' }
}

function work({ scene }: Place): Value {
  return { goal_id: scene.goals.work.id }
}

function later({ scene }: Place): Value {
  return { goal_id: scene.goals.work.id, deadline: '2100-01-01T00:00:00Z' }
}

function revision({ scene }: Place): Value {
  return { goal_id: scene.goals.review.id, round: 1, task_ids: [scene.tasks.done], reason: 'Add a chart.' }
}

const rule = ({ scene }: Place): Value => ({
  effect: 'allow',
  points: ['post'],
  subject: { agent_id: scene.agents.planner.agentId },
  reason: 'It is tested.',
})
