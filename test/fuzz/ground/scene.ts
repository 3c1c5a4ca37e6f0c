/** Live things for one round: people, agents, goals, rooms and a channel, so that hostile values reach what is behind validation. */
import { randomBytes } from 'node:crypto'
import { charterHash } from '@parley/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Context } from '../../../server/context.ts'
import { newTaskId, textUpload } from '../../support/goal-fixture.ts'
import type { TestWorld } from '../../support/world.ts'
import type { Known } from '../inputs/schema.ts'
import {
  type AgentRole,
  agentIn,
  agentRoles,
  command,
  newCallId,
  newEntryId,
  newId,
  newSalt,
  openSession,
  operatorIn,
  type PersonRole,
  personIn,
  type Role,
  type SceneAgent,
  type ScenePerson,
  withKey,
} from './cast.ts'
import {
  canceledGoal,
  charterFor,
  deliver,
  type Funded,
  formTeam,
  type Over,
  openChannel,
  postUnfunded,
  type SceneGoal,
  type Team,
} from './goals.ts'
import { worldFile, worldSentence } from './world-texts.ts'

export type Scene = {
  readonly number: number
  readonly people: Readonly<Record<PersonRole, ScenePerson>>
  readonly agents: Readonly<Record<AgentRole, SceneAgent>>
  /**
   * `work` is underway, `review` is delivered, `open` has a planner and no team, `forming` has a charter that nobody has accepted,
   * `copilot` one that lies before its client, `free` is claimed by `planner`, `paid` is or soon will be paid, `draft` and `card`
   * wait for their money, `hidden` is private, `contest` takes entries and has one of `planner`.
   */
  readonly goals: Readonly<
    Record<'work' | 'review' | 'open' | 'draft' | 'card' | 'hidden' | 'forming' | 'copilot' | 'free' | 'paid' | 'contest', SceneGoal>
  >
  /** `underway` is the helper's, `second` the worker's; `done` and `doneSecond` wait for the client's word, `paid` does not. */
  readonly tasks: {
    readonly underway: string
    readonly second: string
    readonly done: string
    readonly doneSecond: string
    readonly paid: string
  }
  readonly charterHash: string
  /** Of the charter that lies before the client of `copilot`. */
  readonly draftHash: string
  /** A canceled goal's room, and the numbers of messages there that nobody needs. */
  readonly over: Over
  /** A session to be ended. */
  readonly spareSession: string
  /** The first file that was delivered. */
  readonly sha256: string
  /** Of a result of the paid goal. */
  readonly paidSha256: string
  /** The entry in `contest`. */
  readonly entryId: string
  readonly voucherKey: PrivateKeyAccount
  readonly channelId: string | null
  /** What only the client, its planner and its team may read: words, and the private goal's ids. */
  readonly secrets: readonly string[]
  readonly known: Known
}

let scenes = 0

/** Twelve letters that stand nowhere else. */
export const secretWord = () => `zq${randomBytes(8).toString('hex')}`

export async function createScene(world: TestWorld, hubUrl: string): Promise<Scene> {
  const number = ++scenes
  const tag = `s${number}${randomBytes(3).toString('hex')}`
  const [client, publisher, stranger, operator] = await Promise.all([
    personIn(world, 1_000_000_000n),
    personIn(world, 200_000_000n),
    personIn(world, 200_000_000n),
    operatorIn(world),
  ])
  const people = { client, publisher, stranger, operator }
  const [lead, helper, worker, planner, outsider] = await Promise.all([
    agentIn(world, publisher, `${tag}lead`, ['goal.plan']),
    agentIn(world, publisher, `${tag}helper`, ['text.first']),
    agentIn(world, publisher, `${tag}worker`, ['text.second']).then((agent) => withKey(hubUrl, agent)),
    agentIn(world, stranger, `${tag}planner`, ['goal.plan']).then((agent) => withKey(hubUrl, agent)),
    agentIn(world, stranger, `${tag}outsider`, ['goal.plan', 'text.other', 'resources.find']),
  ])
  const agents = { lead, helper, worker, planner, outsider }
  const words = [secretWord(), secretWord(), secretWord(), secretWord()]
  const [goals, channel] = await Promise.all([postGoals(world, client, tag, words), openChannel(world, client, helper)])
  const stands = await work({ world, hubUrl, client, publisher, agents }, goals)
  const { hidden } = goals
  await client.send({ type: 'message.post', room_id: hidden.roomId, parts: [{ text: `Remember ${words[0]}.` }] })
  const scene = {
    ...{ number, people, agents, ...stands, goals: mapGoals(goals) },
    over: await canceledGoal(client),
    spareSession: await openSession(world, client),
    voucherKey: channel.key,
    channelId: channel.id,
    secrets: [...words, hidden.id, hidden.roomId],
  }
  for (const { line } of Object.values(agents)) line?.close()
  return { ...scene, known: knownIn(scene) }
}

const mapGoals = (goals: Goals): Scene['goals'] =>
  Object.fromEntries(Object.entries(goals).map(([name, { id, roomId }]) => [name, { id, roomId }])) as Scene['goals']

type Goals = Readonly<Record<'draft' | 'card', SceneGoal> & Record<Exclude<keyof Scene['goals'], 'draft' | 'card'>, Funded>>

async function postGoals(world: TestWorld, client: ScenePerson, tag: string, words: readonly string[]): Promise<Goals> {
  const brief = {
    text: `Write two short texts about ${tag}, please. ${worldSentence}`,
    criteria: [`They are about ${tag}. ${worldSentence}`],
    attachments: [worldFile(`The notes about ${tag}.`), worldFile(`A table about ${tag}.`)],
  }
  const readable = { ...brief, attachmentReaders: 'everyone' as const }
  const hiddenBrief = {
    text: `Write about ${words[0]}, and tell nobody.`,
    criteria: [`It mentions ${words[1]}.`],
    visibility: 'private' as const,
    attachments: [{ ...textUpload(`The file about ${words[2]}.`), name: `${words[3]}.txt` }],
  }
  const contest = { max_entries: 16, entries_by: new Date(Date.now() + 3_000_000).toISOString() }
  const [work, review, paid, open, free, forming, copilot, hidden, contested, draft, card] = await Promise.all([
    world.postFundedGoal(client, brief),
    world.postFundedGoal(client, readable),
    world.postFundedGoal(client, brief),
    world.postFundedGoal(client, brief),
    world.postFundedGoal(client, brief),
    world.postFundedGoal(client, { ...brief, approves: false }),
    world.postFundedGoal(client, { ...brief, planner: 'copilot' }),
    world.postFundedGoal(client, hiddenBrief),
    world.postFundedGoal(client, { ...brief, approves: false, more: { contest, on_silence: 'refund' } }),
    postUnfunded(client, 'escrow'),
    postUnfunded(client, 'stripe'),
  ])
  return { work, review, paid, open, free, forming, copilot, hidden, contest: contested, draft, card }
}

/** Brings each goal to where it is to stand. */
async function work(
  team: Team,
  goals: Goals,
): Promise<Pick<Scene, 'tasks' | 'charterHash' | 'draftHash' | 'sha256' | 'paidSha256' | 'entryId'>> {
  const { hubUrl, client, agents } = team
  const { lead, planner } = agents
  const [underway, done, paid] = await Promise.all([formTeam(team, goals.work), formTeam(team, goals.review), formTeam(team, goals.paid)])
  await command(hubUrl, lead, { type: 'goal.claim', goal_id: goals.hidden.id }).catch(() => undefined)
  for (const { id } of [goals.open, goals.forming, goals.copilot]) await command(hubUrl, lead, { type: 'goal.claim', goal_id: id })
  await command(hubUrl, planner, { type: 'goal.claim', goal_id: goals.free.id })
  const [formed, submitted] = [charterFor(team, goals.forming), charterFor(team, goals.copilot)]
  await command(hubUrl, lead, { type: 'team.propose', goal_id: goals.forming.id, charter: formed })
  await command(hubUrl, lead, { type: 'charter.submit', goal_id: goals.copilot.id, charter: submitted })
  const entryId = newEntryId()
  const entry = { entry_id: entryId, price: '1000000', text: `An entry. ${worldSentence}`, artifacts: [worldFile('The entry.')] }
  await command(hubUrl, planner, { type: 'entry.submit', goal_id: goals.contest.id, ...entry })
  const second = newTaskId()
  await command(hubUrl, lead, { type: 'task.assign', goal_id: goals.work.id, task_id: second, step: 2 })
  const [delivered, ended] = [await deliver(team, goals.review, done.taskId), await deliver(team, goals.paid, paid.taskId)]
  // The money is on its way from here on; nobody waits for it.
  await client.send({ type: 'task.accept', goal_id: goals.paid.id })
  return {
    tasks: { underway: underway.taskId, second, done: done.taskId, doneSecond: delivered.second, paid: paid.taskId },
    charterHash: underway.hash,
    draftHash: await charterHash(submitted),
    ...{ sha256: delivered.sha256, paidSha256: ended.sha256, entryId },
  }
}

/** Acts as an agent that has a token; null for who is none. */
export function agentContext(world: TestWorld, { agents, people }: Pick<Scene, 'agents' | 'people'>, role: Role): Context | null {
  if (!(agentRoles as readonly Role[]).includes(role)) return null
  const { did, agentId, payee } = agents[role as AgentRole]
  const owner = payee === people.publisher.address ? people.publisher : people.stranger
  return world.world.contextFor({ kind: 'agent', did: did as never, agentId, ownerDid: owner.did, hasKey: false })
}

/** A charter of two steps for a goal of this scene. */
export function charterOf(
  { world, hub }: { world: TestWorld; hub: { url: string } },
  { people, agents }: Pick<Scene, 'agents' | 'people'>,
  goal: Funded,
  principal: SceneAgent = agents.lead,
) {
  return charterFor({ world, hubUrl: hub.url, client: people.client, publisher: people.publisher, agents }, goal, principal)
}

/** What a place may hold, by its name and by its shape. */
function knownIn(scene: Omit<Scene, 'known'>): Known {
  const { people, agents, goals, tasks, channelId } = scene
  const { client } = people
  const byName = {
    ...{
      goal_id: goals.work.id,
      room_id: goals.work.roomId,
      task_id: tasks.underway,
      task_ids: [tasks.done],
      agent: agents.helper.handle,
    },
    ...{
      agent_id: agents.helper.agentId,
      handle: agents.helper.handle,
      id: goals.work.id,
      follows: goals.review.id,
      room: goals.work.roomId,
    },
    ...{
      charter_hash: scene.charterHash,
      entry_id: scene.entryId,
      sha256: scene.sha256,
      to: [client.did],
      text: 'Some words about it.',
      after: 0,
      limit: 10,
    },
    ...{ payout: client.address, about: client.did, skill_id: 'text.first', authorizer: scene.voucherKey.address.toLowerCase() },
    ...{ channel_id: channelId, salt: newSalt(), seq: 1, step: 1, budget: '10000000', amount: '1000000', deposit: '20000000' },
    ...{
      visibility: 'public',
      online: false,
      address: client.address,
      states: ['open', 'underway', 'review'],
      act: 'discussion',
      wait: '0',
    },
    ...{ wanted: ['text.plain'], at_hand: [], input_types: ['text.plain'], output_type: 'text.plain', historyLength: 5, seconds: 1 },
  }
  const all = [
    ...Object.values(goals).flatMap(({ id, roomId }) => [id, roomId]),
    ...Object.values(agents).flatMap(({ agentId, inboxId, did, handle }) => [agentId, inboxId, did, handle]),
    ...Object.values(people).flatMap(({ did, address }) => [did, address]),
    ...[tasks.underway, tasks.done, scene.entryId, scene.charterHash, scene.sha256, newId(), newCallId()],
    ...(channelId === null ? [] : [channelId]),
    `0x${'1b'.repeat(65)}`,
  ]
  return { byName: byName as Known['byName'], all }
}
