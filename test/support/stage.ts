import { randomBytes } from 'node:crypto'
import { type Charter, type Command, type CommandType, charterHash, type Envelope, prefixedId, uuidv7 } from '@parley/protocol'
import type { Actor, Context } from '../../server/context.ts'
import { readLog } from '../../server/delivery/index.ts'
import { admit } from '../../server/gateway/index.ts'
import type { Goal } from '../../server/goals/index.ts'
import { getInbox } from '../../server/registry/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import type { TestPerson, TestWorld } from './world.ts'

/** An agent without a socket: its commands go straight through the gateway, and the server vouches for it. */
export type StageAgent = {
  readonly agentId: string
  readonly did: string
  readonly payee: string
  readonly ctx: Context
  send<T = Record<string, unknown>>(command: { type: CommandType; [field: string]: unknown }): Promise<T>
}

type Royalty = { readonly agent_id: string; readonly bps: number }

export const stepPrice = 1_000_000n

/** Publishes a listing with one skill and acts for it. */
export async function castAgent(
  world: TestWorld,
  owner: TestPerson,
  handle: string,
  skillId: string,
  outputs: readonly string[] = ['text.plain'],
  more: { inputs?: readonly string[]; price?: bigint; name?: string; summary?: string; royalties?: readonly Royalty[] } = {},
): Promise<StageAgent> {
  const skill = {
    id: skillId,
    name: skillId,
    description: `Does ${skillId}.`,
    inputs: (more.inputs ?? []).map((type, index) => ({ name: `in_${index}`, type })),
    outputs: outputs.map((type, index) => ({ name: `out_${index}`, type })),
    price: (more.price ?? stepPrice).toString(),
  }
  const { name = handle, summary = `The agent ${handle}.`, royalties = [] } = more
  const published = await world.publish(owner, { handle, name, summary, skills: [skill], royalties } as never)
  const actor: Actor = {
    kind: 'agent',
    did: published.did as `did:web:${string}`,
    agentId: published.agent_id,
    ownerDid: owner.did,
    hasKey: false,
  }
  const ctx = world.world.contextFor(actor)
  return {
    agentId: published.agent_id,
    did: published.did,
    payee: owner.account.address.toLowerCase(),
    ctx,
    send: async <T>(command: { type: CommandType }) => (await admit(ctx, command as unknown as Command)) as T,
  }
}

export type Stage = {
  readonly world: TestWorld
  readonly client: TestPerson
  readonly publisher: TestPerson
  readonly lead: StageAgent
  readonly first: StageAgent
  readonly second: StageAgent
  readonly goal: Goal
  charter(changes?: Partial<Charter>): Charter
}

const brief = { text: 'Write two short texts, please.' }

/**
 * A funded goal that `lead` has claimed, with two workers listed: nothing proposed yet. `prefix`: of the handles, which a
 * market gives once. `open`: posts and funds it; by wallet unless told otherwise. `royalties`: of the second worker.
 */
export async function setStage(
  world: TestWorld,
  prefix = '',
  open = (client: TestPerson): Promise<Goal> => world.postFundedGoal(client, brief),
  royalties: readonly Royalty[] = [],
): Promise<Stage> {
  const client = await world.person()
  const publisher = await world.person({ usdc: 0n })
  const lead = await castAgent(world, publisher, `${prefix}lead`, 'goal.plan', ['plan'])
  const first = await castAgent(world, publisher, `${prefix}first`, 'text.first')
  const second = await castAgent(world, publisher, `${prefix}second`, 'text.second', undefined, { royalties })
  const opened = await open(client)
  await lead.send({ type: 'goal.claim', goal_id: opened.id })
  const goal = await world.goal(opened.id)
  const step = (number: number, agent: StageAgent, skillId: string, dependsOn: number[]) => ({
    step: number,
    title: `Step ${number}`,
    skill_id: skillId,
    agent_id: agent.agentId as never,
    sender_id: agent.did as never,
    payee: agent.payee,
    amount: stepPrice.toString(),
    mode: 'async' as const,
    depends_on: dependsOn,
    inputs: dependsOn.map((from) => ({ port: 'text', type: 'text.plain', step: from })),
    outputs: ['text.plain'],
  })
  const charter = (changes: Partial<Charter> = {}): Charter => ({
    v: '1',
    goal_id: goal.id as never,
    group_id: goal.groupId as never,
    version: 1,
    client_id: client.did as never,
    principal_id: lead.did as never,
    evaluator_id: world.world.market.evaluator,
    asset: goal.asset,
    total: goal.budget.toString(),
    fee_bps: world.world.market.feeBps,
    on_silence: 'pay_if_delivered',
    steps: [step(1, first, 'text.first', []), step(2, second, 'text.second', [1])],
    ...changes,
  })
  return { world, client, publisher, lead, first, second, goal, charter }
}

/** Proposes the charter and lets both members sign it. */
export async function agreeTeam({ lead, first, second, goal, charter }: Stage): Promise<`0x${string}`> {
  const proposal = charter()
  await lead.send({ type: 'team.propose', goal_id: goal.id, charter: proposal })
  const hash = await charterHash(proposal)
  for (const member of [first, second]) await member.send({ type: 'team.accept', goal_id: goal.id, charter_hash: hash })
  return hash
}

/** Agrees, seals, and waits until the escrow has recorded the charter. */
export async function sealStage(stage: Stage): Promise<void> {
  await agreeTeam(stage)
  await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
  await stage.world.until('the charter on chain', async () => (await getTeam(stage.world.system, stage.goal.id)).recordedAt)
}

export function newTaskId(): string {
  return prefixedId('tsk', uuidv7(Date.now(), randomBytes(10)))
}

export function textUpload(content: string, artifactType = 'text.plain') {
  return { name: 'text.txt', media_type: 'text/plain', artifact_type: artifactType, content: Buffer.from(content).toString('base64') }
}

/** Assigns a step and lets its agent complete it. */
export async function doStep(stage: Stage, step: number, worker: StageAgent): Promise<string> {
  const taskId = newTaskId()
  await stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: taskId, step })
  await worker.send({ type: 'task.complete', task_id: taskId, artifacts: [textUpload(`Text of step ${step}.`)] })
  return taskId
}

/** Seals, does both steps and concludes: the goal is in review. */
export async function deliverStage(stage: Stage): Promise<string[]> {
  await sealStage(stage)
  const taskIds = [await doStep(stage, 1, stage.first), await doStep(stage, 2, stage.second)]
  await stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'delivered', parts: [{ text: 'Both texts are there.' }] })
  return taskIds
}

/** The data parts that the server has put into an agent's inbox, oldest first. */
export async function inboxData(
  stage: Pick<Stage, 'world'>,
  agentId: string,
): Promise<{ readonly kind?: unknown; readonly [field: string]: unknown }[]> {
  const { system } = stage.world
  const said = await readLog(system, { groupId: await getInbox(system, agentId), after: 0, limit: 1_000 })
  return said.flatMap(({ body }) => (JSON.parse(body) as Envelope).parts.flatMap((part) => (part.data ? [part.data] : [])))
}

/** Audit rows of one action on one subject. */
export function countAudit(stage: Pick<Stage, 'world'>, chain: string, action: string): Promise<number> {
  return stage.world.system.db.auditRow.count({ where: { chain, action } })
}
