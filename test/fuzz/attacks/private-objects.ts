/** Private things of one client and its agents, with words that stand nowhere else: what nobody but their parties may read. */
import { randomBytes } from 'node:crypto'
import { getDisputeTypedData } from '../../../server/settlement/index.ts'
import { textUpload } from '../../support/goal-fixture.ts'
import { lineOf } from '../edge/deliver.ts'
import { command, type Role, type SceneAgent } from '../ground/cast.ts'
import { formTeam, type Team } from '../ground/goals.ts'
import { ask } from '../ground/http.ts'
import { secretWord } from '../ground/scene.ts'
import { writeJson } from '../inputs/json-text.ts'
import { channelOf } from '../operations/money-recipes.ts'
import { closedOrigin } from '../operations/notification-recipes.ts'
import { hubRequest, type Place } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import { loginOf } from './logins.ts'
import { fillKinds } from './private-contest-team-and-test.ts'
import { mutate, mutateWithRetry } from './request-helpers.ts'

/**
 * `ids`: of everything private, by what its text begins with. `parties`: public ids of those who have a part in it.
 * `secrets`: words, ids and hashes that no answer to others may contain. `guarded`: words that only some of the parties read.
 */
export type Vault = {
  readonly parties: readonly string[]
  readonly goalId: string
  readonly roomId: string
  readonly ids: readonly string[]
  readonly secrets: readonly string[]
  readonly guarded: readonly Guarded[]
}
/** `readers`: SECURITY.md and SPEC.md name them. */
export type Guarded = { readonly secret: string; readonly readers: readonly Role[] }

/** A private goal: its client, the agents of its team, their owners, and operators. */
const team: readonly Role[] = ['client', 'lead', 'helper', 'worker', 'publisher', 'operator']
/** A call: its client, its agent and the agent's owner, and operators. */
const callers: readonly Role[] = ['client', 'helper', 'publisher', 'operator']
/** A note about a person: the agent that stores it, and the person. */
const remembering: readonly Role[] = ['helper', 'client']
/** Settings and logins of a person. */
const own: readonly Role[] = ['client']

/** A private goal with a team, messages, a plan and files, a call with files, a memory note, addresses for notifications and a dispute. */
export async function fillVault(place: Place): Promise<Vault> {
  const { installation, scene } = place
  const { world } = installation
  const { db } = world.system
  const guarded: Guarded[] = []
  const word = (readers: readonly Role[] = team) => {
    const secret = secretWord()
    guarded.push({ secret, readers })
    return secret
  }
  const file = (readers?: readonly Role[]) => ({ ...textUpload(`A file about ${word(readers)}.`), name: `${word(readers)}.txt` })
  const members = await teamOf(place)
  const goal = await world.postFundedGoal(scene.people.client, {
    text: `Write about ${word()}, and tell nobody.`,
    criteria: [`It mentions ${word()}.`],
    visibility: 'private',
    planners: [scene.agents.lead.agentId],
    attachments: [file()],
  })
  const { taskId, hash } = await formTeam(members, goal)
  const run = (agent: SceneAgent, body: object) => command(members.hubUrl, agent, body)
  const { lead, helper } = members.agents
  await run(lead, { type: 'message.post', room_id: goal.roomId, parts: [{ text: `Remember ${word()}.` }] })
  await run(lead, { type: 'plan.propose', room_id: goal.roomId, based_on: 0, text: `# Plan\n\nWrite about ${word()}.` })
  await run(helper, { type: 'task.complete', task_id: taskId, artifacts: [file()], text: `It is about ${word()}.` })
  await run(helper, { type: 'memory.write', key: 'secret', about: scene.people.client.did, note: { likes: word(remembering) }, days: 1 })
  const callId = await callWith(
    place,
    () => file(callers),
    () => word(callers),
  )
  await mutate(place, 'client', 'notifications.setEmail', { email: `${word(own)}@example.org` })
  await mutate(place, 'client', 'notifications.setWebhook', { url: `${closedOrigin}/${word(own)}` })
  const evidence = { goal_id: goal.id, step: 2, evidence: `It says nothing about ${word()}.`, artifacts: [] }
  const { typedData } = await getDisputeTypedData(scene.people.client.ctx, evidence)
  const signature = await scene.people.client.account.signTypedData(typedData as never)
  await mutateWithRetry(place, 'client', 'disputes.open', { ...evidence, signature })
  const login = writeJson(await loginOf(place, scene.people.client, { message: {} }))
  const named = JSON.stringify({ ...JSON.parse(login), expires_in: 3_600, name: word(own) })
  await ask(hubRequest(place, 'anonymous', 'POST', '/v1/tokens', named))
  const kinds = await fillKinds(place, word)
  const [files, messages, sessions, payouts] = await Promise.all([
    db.artifact.findMany({ where: { goalId: { in: [goal.id, ...kinds.goalIds] } }, select: { sha256: true } }),
    db.message.findMany({ where: { roomId: goal.roomId }, select: { id: true }, take: 2 }),
    db.session.findMany({ where: { personId: scene.people.client.did }, select: { id: true }, take: 1 }),
    db.payout.findMany({ where: { goalId: goal.id }, select: { id: true }, take: 1 }),
  ])
  const hashes = files.map(({ sha256 }) => sha256)
  const things = [goal.id, goal.roomId, taskId, callId, ...kinds.things, ...hashes]
  const inboxes = [helper.inboxId, lead.inboxId]
  const rows = [...messages, ...sessions, ...payouts].map(({ id }) => id)
  const onChain = [hash, ...(scene.channelId === null ? [] : [scene.channelId])]
  const parties = [helper.agentId, lead.agentId, scene.people.client.did, scene.people.client.address]
  const secrets = [...guarded.map(({ secret }) => secret), ...things]
  return { parties, goalId: goal.id, roomId: goal.roomId, ids: [...things, ...inboxes, ...rows, ...onChain], secrets, guarded }
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
  const { id: channelId } = await channelOf(place)
  const waiting = await installation.world.system.db.call.findFirst({ where: { channelId, state: 'requested' } })
  if (waiting) await answer(waiting.id, 'Here it is.')
  const asked = (await recipes['call.request']?.(place, 'client')) as object
  const inputs = [{ port: 'in_0', type: 'text.plain', data: { text: `A question about ${word()}.` } }]
  const { call_id } = await client.send<{ call_id: string }>({ type: 'call.request', ...asked, inputs, attachments: [file()] })
  await answer(call_id, `An answer about ${word()}.`)
  return call_id
}

/** Another id of the same kind that nothing has. */
export const unknownLike = (id: string) => `${id.slice(0, -8)}${randomBytes(4).toString('hex')}`
