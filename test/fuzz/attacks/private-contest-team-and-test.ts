/** Private things of further kinds: a contest with an entry, the room of a sub-team, a test task. */
import { textUpload } from '../../support/goal-fixture.ts'
import { agentIn, command, newCallId, newEntryId, type Role, type ScenePerson } from '../ground/cast.ts'
import type { Place } from '../operations/operations.ts'
import { kindHandle } from '../variants/handles.ts'
import { makeSubTeam } from '../variants/sub-team.ts'
import { mutateWithRetry, sendWithRetry } from './request-helpers.ts'

/** A word that only these roles read. */
type Word = (readers: readonly Role[]) => string

/** The client of a private contest, the agent to which it is offered, its owner, and operators. */
const offered: readonly Role[] = ['client', 'lead', 'publisher', 'operator']
/** The owner of a tested agent, the agent, and operators. */
const testers: readonly Role[] = ['publisher', 'helper', 'operator']
/** The client, the agents of the room and of the rooms above, their owners, and operators. */
const hirers: readonly Role[] = ['client', 'lead', 'helper', 'publisher', 'operator']

export type VaultKinds = { readonly goalIds: readonly string[]; readonly things: readonly string[] }

/** `goalIds`: those whose files are private too. `things`: ids that no answer to others contains. */
export async function fillKinds(place: Place, word: Word): Promise<VaultKinds> {
  const [contest, team, test] = await Promise.all([privateContest(place, word), privateTeam(place, word), privateTest(place, word)])
  return { goalIds: [contest.goalId, team.goalId], things: [...contest.things, ...team.things, ...test] }
}

const patient = (client: ScenePerson): ScenePerson => ({ ...client, send: (one) => sendWithRetry(client, one) })
const fileOf = (word: Word, readers: readonly Role[]) => ({
  ...textUpload(`A file about ${word(readers)}.`),
  name: `${word(readers)}.txt`,
})

async function privateContest({ installation, scene }: Place, word: Word) {
  const { lead } = scene.agents
  const entries_by = new Date(Date.now() + 3_000_000).toISOString()
  const goal = await installation.world.postFundedGoal(patient(scene.people.client), {
    ...{ text: `Write about ${word(offered)}, and tell nobody.`, criteria: [`It mentions ${word(offered)}.`], approves: false },
    ...{ visibility: 'private', planners: [lead.agentId] },
    more: { on_silence: 'refund', contest: { max_entries: 4, entries_by } },
  })
  const entry_id = newEntryId()
  const entry = { entry_id, price: '1000000', text: `It is about ${word(offered)}.`, artifacts: [fileOf(word, offered)] }
  await command(installation.hub.url, lead, { type: 'entry.submit', goal_id: goal.id, ...entry })
  return { goalId: goal.id, things: [goal.id, goal.roomId, entry_id] }
}

async function privateTeam(place: Place, word: Word) {
  const { installation, scene } = place
  const { lead, helper } = scene.agents
  const { publisher } = scene.people
  const agent = await agentIn(installation.world, publisher, kindHandle('hired'), ['text.other'])
  const brief = { visibility: 'private', planners: [lead.agentId] }
  const team = await makeSubTeam(place, { brief, hired: { agent, owner: publisher } })
  const run = (body: object) => command(installation.hub.url, helper, body)
  await run({ type: 'message.post', room_id: team.roomId, parts: [{ text: `Remember ${word(hirers)}.` }] })
  await run({ type: 'plan.propose', room_id: team.roomId, based_on: 0, text: `# Plan\n\nWrite about ${word(hirers)}.` })
  const done = { task_id: team.taskId, artifacts: [fileOf(word, hirers)], text: `It is about ${word(hirers)}.` }
  await command(installation.hub.url, agent, { type: 'task.complete', ...done })
  return { goalId: team.goal.id, things: [team.roomId, team.taskId] }
}

/** The test task of the helper: its question, its answer and its file. */
async function privateTest(place: Place, word: Word): Promise<string[]> {
  const { installation, scene } = place
  const call_id = newCallId()
  const inputs = [{ port: 'in_0', type: 'text.plain', data: { text: `A question about ${word(testers)}.` } }]
  const { agentId } = scene.agents.helper
  const where = { agentId, skillId: 'text.first', state: 'requested' }
  // A skill has one open test at a time.
  const open = await installation.world.system.db.skillTest.findFirst({ where })
  const excuse = 'There is no time.'
  if (open) await command(installation.hub.url, scene.agents.helper, { type: 'call.decline', call_id: open.id, reason: excuse })
  await mutateWithRetry(place, 'publisher', 'skillTests.start', {
    call_id,
    agent_id: agentId,
    skill_id: 'text.first',
    inputs,
    attachments: [],
  })
  const answer = { call_id, artifacts: [fileOf(word, testers)], text: `An answer about ${word(testers)}.` }
  await command(installation.hub.url, scene.agents.helper, { type: 'call.answer', ...answer })
  return [call_id]
}
