/** A goal of the client whose first step the helper does with a team of its own: the outsider works in it. */
import { type Charter, type CharterStep, charterHash, charterTypedData, hireInto } from '@parley/protocol'
import { dispatchCommand } from '../../../server/commands/index.ts'
import { readNextCharterVersion } from '../../../server/teams/charters/next-charter-version.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { newTaskId, planOf } from '../../support/goal-fixture.ts'
import { sendWithRetry } from '../attacks/request-helpers.ts'
import { agentIn, command, type SceneAgent, type ScenePerson } from '../ground/cast.ts'
import { type Funded, formTeam, type Team } from '../ground/goals.ts'
import { agentContext } from '../ground/scene.ts'
import { worldFile, worldSentence } from '../ground/world-texts.ts'
import type { Place } from '../operations/operations.ts'
import { kindHandle } from './handles.ts'

/**
 * `step`: that of the helper. `hired` and `last`: the outsider's steps. `member`: does the second step of the goal. `seq`: a message in the
 * room. `taskId` is a task of the step `last`, `parentId` the helper's.
 */
export type SubTeam = {
  readonly goal: Funded
  readonly roomId: string
  readonly step: number
  readonly hired: number
  readonly last: number
  readonly member: SceneAgent
  readonly taskId: string
  readonly parentId: string
  readonly seq: number
}
type Room = { readonly room_id: string; readonly step: number }

type Hired = { readonly agent: SceneAgent; readonly owner: ScenePerson }
const outsiderOf = ({ scene }: Place): Hired => ({ agent: scene.agents.outsider, owner: scene.people.stranger })

/** The team at work: its charter is in force, and its first task is assigned. The outsider works in it unless another agent is `hired`. */
export async function makeSubTeam(place: Place, more: { readonly brief?: object; readonly hired?: Hired } = {}): Promise<SubTeam> {
  const { brief = {}, hired: worker = outsiderOf(place) } = more
  const { installation, scene } = place
  const { client, publisher } = scene.people
  const { world, hub } = installation
  // An agent with a token: it needs no socket.
  const member = await agentIn(world, publisher, kindHandle('second'), ['text.second'])
  const team: Team = { world, hubUrl: hub.url, client, publisher, agents: { ...scene.agents, worker: member } }
  const patient: ScenePerson = { ...client, send: (one) => sendWithRetry(client, one) }
  const texts = { text: `Write two texts with a sub-team. ${worldSentence}`, criteria: [`Both are there. ${worldSentence}`] }
  const goal = await world.postFundedGoal(patient, { ...texts, attachments: [worldFile('For the sub-team.')], ...brief })
  const { taskId } = await formTeam(team, goal)
  const helper = scene.agents.helper
  const run = <T>(agent: SceneAgent, body: object) => command<T>(hub.url, agent, body)
  const room = await run<Room>(helper, { type: 'sub_team.create', task_id: taskId })
  const charter = await proposedIn(place, goal, room, worker.agent)
  const own = { goal_id: goal.id, room_id: room.room_id }
  await run(helper, { type: 'team.propose', ...own, charter })
  await run(worker.agent, { type: 'team.accept', ...own, ...(await acceptanceOf(place, charter, worker.owner)) })
  await run(member, { type: 'team.accept', goal_id: goal.id, ...(await acceptanceOf(place, charter, publisher)) })
  await run(helper, { type: 'team.accept', ...own, ...(await acceptanceOf(place, charter, publisher)) }).catch(() => undefined)
  await run(helper, { type: 'team.seal', ...own })
  const inForce = async () => {
    const now = await getTeam(world.system, goal.id)
    return now.version === charter.version && now.recordedAt
  }
  await world.until('the charter of the sub-team on chain', inForce, 60_000)
  const [hired = 0, last = 0] = charter.steps.slice(-2).map((one) => one.step)
  const { seq } = await run<{ seq: number }>(helper, { type: 'message.post', room_id: room.room_id, parts: [{ text: 'Please begin.' }] })
  const assigned = newTaskId()
  await run(helper, { type: 'task.assign', goal_id: goal.id, task_id: assigned, step: last })
  return { goal, roomId: room.room_id, step: room.step, hired, last, member, taskId: assigned, parentId: taskId, seq }
}

/** The next charter, in which the helper pays an agent for two more steps. */
export async function proposedIn(
  { installation, scene }: Place,
  goal: Funded,
  room: Room,
  agent = scene.agents.outsider,
): Promise<Charter> {
  const { world } = installation
  const team = await getTeam(world.system, goal.id)
  const { agentId, did, payee } = agent
  const step = {
    ...{ title: 'A part of it', skill_id: 'text.other', amount: '100000', mode: 'async' as const, inputs: [], outputs: ['text.plain'] },
    ...{ agent_id: agentId as CharterStep['agent_id'], sender_id: did as CharterStep['sender_id'], payee, after: [] },
  }
  return hireInto(team.charter, { ...room, steps: [step, step], version: await readNextCharterVersion(world.system, team) })
}

/** What a payee sends to accept it, signed by its wallet. */
export async function acceptanceOf({ installation }: Place, charter: Charter, { account, address }: ScenePerson) {
  const charter_hash = await charterHash(charter)
  const plan = await planOf(installation.world, charter.goal_id)
  if (!plan) throw new Error('the money of the goal lies in no escrow')
  const signature = await account.signTypedData(charterTypedData(charter, charter_hash, plan))
  return { charter_hash, member_signature: { signer: address, signature } }
}

/** The helper's own task goes on, and with it the team. */
const keepTask = ({ installation, scene }: Place, { parentId }: SubTeam) =>
  command(installation.hub.url, scene.agents.helper, { type: 'task.progress', task_id: parentId, done: 20 }).catch(() => undefined)

/** A task of the sub-team that the outsider has in hand: the newest one, or a new one where that has ended. */
export async function openTaskOf(place: Place, team: SubTeam): Promise<string> {
  const { installation, scene } = place
  const { goal, hired } = team
  const { db } = installation.world.system
  await keepTask(place, team)
  const newest = await db.task.findFirst({ where: { goalId: goal.id, step: hired }, orderBy: { id: 'desc' } })
  if (newest && /^(submitted|working)$/.test(newest.state)) return newest.id
  const task_id = newTaskId()
  const again = newest ? { reworks: newest.id } : {}
  await command(installation.hub.url, scene.agents.helper, { type: 'task.assign', goal_id: goal.id, task_id, step: hired, ...again })
  return task_id
}

/** The outsider gives its task up, so that the helper can assign the step again. Resolves to what is assigned. */
export async function assignmentIn(place: Place, team: SubTeam) {
  const { installation, scene } = place
  const { goal, hired } = team
  await keepTask(place, team)
  const { db } = installation.world.system
  const last = await db.task.findFirst({ where: { goalId: goal.id, step: hired }, orderBy: { id: 'desc' } })
  const ctx = agentContext(installation.world, scene, 'outsider')
  if (last && ctx)
    await dispatchCommand(ctx, { type: 'task.fail', task_id: last.id, reason: 'There is no time.' } as never).catch(() => undefined)
  const reworks = last ? { reworks: last.id } : {}
  return { goal_id: goal.id, task_id: newTaskId(), step: hired, ...reworks, inputs: [], task_desc: 'Write a part of the text.' }
}
