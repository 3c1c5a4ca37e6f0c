/** Goals in all states, and the teams and channels that it takes to bring them there. */
import { charterHash, charterTypedData } from '@parley/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { getTeam } from '../../../server/teams/index.ts'
import { newTaskId, planOf, stepPrice } from '../../support/goal-fixture.ts'
import type { TestWorld } from '../../support/world.ts'
import { type AgentRole, command, newId, newSalt, type SceneAgent, type ScenePerson, signedBy } from './cast.ts'
import { worldFile, worldSentence } from './world-texts.ts'

export type SceneGoal = { readonly id: string; readonly roomId: string }
/** A goal that has its money. */
export type Funded = { readonly id: string; readonly roomId: string; readonly asset: string; readonly budget: bigint }
export type Over = { readonly roomId: string; readonly messages: number[] }

export async function postUnfunded(client: ScenePerson, rail: 'escrow' | 'stripe'): Promise<SceneGoal> {
  const goal = {
    text: `Write one short text, please. ${worldSentence}`,
    criteria: [{ text: `It is there. ${worldSentence}` }],
    budget: '10000000',
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
    review_hours: 1,
    visibility: 'public',
    rail,
  }
  const posted = await client.send<{ goal_id: string; room_id: string }>({ type: 'goal.post', id: newId(), goal, attachments: [] })
  return { id: posted.goal_id, roomId: posted.room_id }
}

/** With words that may be erased, since nothing is decided by them any more. */
export async function canceledGoal(client: ScenePerson): Promise<Over> {
  const { id, roomId } = await postUnfunded(client, 'escrow')
  const messages: number[] = []
  for (let n = 0; n < 24; n++) {
    const said = await client.send<{ seq: number }>({
      type: 'message.post',
      room_id: roomId,
      parts: [{ text: `Word ${n}. ${worldSentence}` }],
    })
    messages.push(said.seq)
  }
  await client.send({ type: 'goal.cancel', goal_id: id, reason: 'It is not needed.' })
  return { roomId, messages }
}

export async function openChannel(world: TestWorld, client: ScenePerson, agent: SceneAgent) {
  const key = privateKeyToAccount(generatePrivateKey())
  const terms = { agent_id: agent.agentId, deposit: '20000000', authorizer: key.address.toLowerCase(), salt: newSalt() }
  type Quote = { channel_id: string; config: { salt: string }; valid_before: number; typed_data: unknown }
  const quote = await client.send<Quote>({ type: 'channel.quote', ...terms })
  const signature = await client.account.signTypedData(quote.typed_data as Parameters<PrivateKeyAccount['signTypedData']>[0])
  await client.send({ type: 'channel.open', ...terms, salt: quote.config.salt, valid_before: quote.valid_before, signature })
  const { db } = world.system
  await world.until('the channel', async () => (await db.channel.findUnique({ where: { id: quote.channel_id } }))?.state === 'open')
  return { id: quote.channel_id, key }
}

export type Team = { world: TestWorld; hubUrl: string; client: ScenePerson; publisher: ScenePerson; agents: Record<AgentRole, SceneAgent> }

export function charterFor({ world, client, agents }: Team, goal: Funded, principal: SceneAgent = agents.lead) {
  const step = (number: number, agent: SceneAgent, skillId: string) => ({
    ...{
      step: number,
      title: `Step ${number} – 手順 «${number}» 😀`,
      skill_id: skillId,
      agent_id: agent.agentId as never,
      sender_id: agent.did as never,
    },
    ...{ payee: agent.payee, amount: stepPrice.toString(), mode: 'async' as const, depends_on: [], inputs: [], outputs: ['text.plain'] },
  })
  const { market } = world.world
  return {
    ...{ v: '1' as const, goal_id: goal.id as never, room_id: goal.roomId as never, version: 1, client_id: client.did as never },
    ...{ principal_id: principal.did as never, evaluator_id: market.evaluator, asset: goal.asset, total: goal.budget.toString() },
    ...{ fee_bps: market.feeBps, on_review_timeout: 'pay_if_delivered' as const },
    steps: [step(1, agents.helper, 'text.first'), step(2, agents.worker, 'text.second')],
  }
}

/** Claims, seals a charter of two steps, and hands out the first. */
export async function formTeam(team: Team, goal: Funded) {
  const { world, hubUrl, publisher, agents } = team
  const charter = charterFor(team, goal)
  const run = (agent: SceneAgent, body: object) => command(hubUrl, agent, { goal_id: goal.id, ...body })
  await run(agents.lead, { type: 'goal.claim' })
  await run(agents.lead, { type: 'team.propose', charter })
  const hash = await charterHash(charter)
  const plan = await planOf(world, goal.id)
  if (!plan) throw new Error('the money of the goal lies in no escrow')
  // Both are paid to the publisher's wallet.
  const { account, address } = publisher
  const member_signature = { signer: address, signature: await account.signTypedData(charterTypedData(charter, hash, plan)) }
  for (const member of [agents.helper, agents.worker]) {
    const accept = { type: 'team.accept', goal_id: goal.id, charter_hash: hash, member_signature }
    await command(hubUrl, member, await signedBy(member, goal.roomId, accept))
  }
  await run(agents.lead, { type: 'team.seal' })
  await world.until('the charter on chain', async () => (await getTeam(world.system, goal.id)).recordedAt)
  const taskId = newTaskId()
  await run(agents.lead, { type: 'task.assign', task_id: taskId, step: 1 })
  return { taskId, hash }
}

/** Hands out the second step, has both done, and ends the work. Resolves to the tasks, and the first file. */
export async function deliver(team: Team, goal: Funded, first: string): Promise<{ second: string; sha256: string }> {
  const { hubUrl, agents } = team
  const second = newTaskId()
  await command(hubUrl, agents.lead, { type: 'task.assign', goal_id: goal.id, task_id: second, step: 2 })
  const complete = { type: 'task.complete', task_id: second, artifacts: [worldFile('The second text.')] }
  await command(hubUrl, agents.worker, await signedBy(agents.worker, goal.roomId, complete))
  await command(hubUrl, agents.helper, {
    type: 'task.complete',
    task_id: first,
    artifacts: [worldFile('The first text.'), worldFile('Its table.')],
  })
  await command(hubUrl, agents.lead, {
    ...{ type: 'goal.conclude', goal_id: goal.id, outcome: 'delivered', parts: [{ text: `Both are there. ${worldSentence}` }] },
  })
  const row = await team.world.system.db.artifact.findFirst({ where: { goalId: goal.id, taskId: { not: null } } }).catch(() => null)
  return { second, sha256: row?.sha256 ?? '0'.repeat(64) }
}
