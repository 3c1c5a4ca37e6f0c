/** Private things of one client and its agents, with words that stand nowhere else: what nobody but their parties may read. */
import { randomBytes } from 'node:crypto'
import { getDisputeTerms } from '../../../server/settlement/index.ts'
import { textUpload } from '../../support/goal-fixture.ts'
import { lineOf } from '../edge/deliver.ts'
import { command, type SceneAgent } from '../ground/cast.ts'
import { formTeam, type Team } from '../ground/goals.ts'
import { secretWord } from '../ground/scene.ts'
import { closedOrigin } from '../operations/notification-recipes.ts'
import type { Place } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import { mutate } from './requests.ts'

/**
 * `ids`: of everything private, by what its text begins with. `parties`: public ids of those who have a part in it.
 * `secrets`: words, ids and hashes that no answer to others may contain.
 */
export type Vault = {
  readonly parties: readonly string[]
  readonly goalId: string
  readonly roomId: string
  readonly ids: readonly string[]
  readonly secrets: readonly string[]
}

/** A private goal with a team, messages, a plan and files, a call with files, a memory note, addresses for notifications and a dispute. */
export async function fillVault(place: Place): Promise<Vault> {
  const { installation, scene } = place
  const { world } = installation
  const { db } = world.system
  const words: string[] = []
  const word = () => {
    const made = secretWord()
    words.push(made)
    return made
  }
  const file = () => ({ ...textUpload(`A file about ${word()}.`), name: `${word()}.txt` })
  const team = await teamOf(place)
  const goal = await world.postFundedGoal(scene.people.client, {
    text: `Write about ${word()}, and tell nobody.`,
    criteria: [`It mentions ${word()}.`],
    visibility: 'private',
    planners: [scene.agents.lead.agentId],
    attachments: [file()],
  })
  const { taskId, hash } = await formTeam(team, goal)
  const run = (agent: SceneAgent, body: object) => command(team.hubUrl, agent, body)
  const { lead, helper } = team.agents
  await run(lead, { type: 'message.post', room_id: goal.roomId, parts: [{ text: `Remember ${word()}.` }] })
  await run(lead, { type: 'plan.propose', room_id: goal.roomId, based_on: 0, text: `# Plan\n\nWrite about ${word()}.` })
  await run(helper, { type: 'task.complete', task_id: taskId, artifacts: [file()], text: `It is about ${word()}.` })
  await run(helper, { type: 'memory.write', key: 'secret', about: scene.people.client.did, note: { likes: word() }, days: 1 })
  const callId = await callWith(place, file, word)
  await mutate(place, 'client', 'notifications.setEmail', { email: `${word()}@example.org` })
  await mutate(place, 'client', 'notifications.setWebhook', { url: `${closedOrigin}/${word()}` })
  const evidence = { goal_id: goal.id, step: 2, evidence: `It says nothing about ${word()}.`, artifacts: [] }
  const { typedData } = await getDisputeTerms(scene.people.client.ctx, evidence)
  const signature = await scene.people.client.account.signTypedData(typedData as never)
  await mutate(place, 'client', 'disputes.open', { ...evidence, signature })
  const [files, messages, sessions, payouts] = await Promise.all([
    db.artifact.findMany({ where: { goalId: goal.id }, select: { sha256: true } }),
    db.message.findMany({ where: { roomId: goal.roomId }, select: { id: true }, take: 2 }),
    db.session.findMany({ where: { personId: scene.people.client.did }, select: { id: true }, take: 1 }),
    db.payout.findMany({ where: { goalId: goal.id }, select: { id: true }, take: 1 }),
  ])
  const hashes = files.map(({ sha256 }) => sha256)
  const own = [goal.id, goal.roomId, taskId, callId, ...hashes]
  const inboxes = [helper.inboxId, lead.inboxId]
  const named = [...messages, ...sessions, ...payouts].map(({ id }) => id)
  const onChain = [hash, ...(scene.channelId === null ? [] : [scene.channelId])]
  const parties = [helper.agentId, lead.agentId, scene.people.client.did, scene.people.client.address]
  return { parties, goalId: goal.id, roomId: goal.roomId, ids: [...own, ...inboxes, ...named, ...onChain], secrets: [...words, ...own] }
}

/** With the sockets that are open now: those of the scene were closed when it was made. */
async function teamOf(place: Place): Promise<Team> {
  const { installation, scene } = place
  const { client, publisher } = scene.people
  const agents = { ...scene.agents, worker: { ...scene.agents.worker, line: await lineOf(place, 'worker') } }
  return { world: installation.world, hubUrl: installation.hub.url, client, publisher, agents }
}

/** One call at a time waits in a channel: one that is there is answered first. */
export async function callWith(place: Place, file: () => object, word: () => string): Promise<string> {
  const { installation, scene } = place
  const { client } = scene.people
  const { helper } = scene.agents
  const answer = (call_id: string, text: string) =>
    command(installation.hub.url, helper, { type: 'call.answer', call_id, artifacts: [file()], text })
  const waiting = await installation.world.system.db.call.findFirst({ where: { channelId: scene.channelId ?? '', state: 'requested' } })
  if (waiting) await answer(waiting.id, 'Here it is.')
  const asked = (await recipes['call.request']?.(place, 'client')) as object
  const inputs = [{ port: 'in_0', type: 'text.plain', data: { text: `A question about ${word()}.` } }]
  const { call_id } = await client.send<{ call_id: string }>({ type: 'call.request', ...asked, inputs, attachments: [file()] })
  await answer(call_id, `An answer about ${word()}.`)
  return call_id
}

/** Another id of the same kind that nothing has. */
export const unknownLike = (id: string) => `${id.slice(0, -8)}${randomBytes(4).toString('hex')}`
