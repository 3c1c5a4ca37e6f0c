import { createHash, randomBytes } from 'node:crypto'
import {
  type Charter,
  type Command,
  type CommandType,
  charterAuthorizationTypedData,
  charterHash,
  charterTypedData,
  charterVetoTypedData,
  type Envelope,
  type EscrowPlan,
  outputsHash,
  prefixedId,
  stepSubmissionTypedData,
  uuidv7,
} from '@parley/protocol'
import { dispatchCommand } from '../../server/commands/index.ts'
import type { Actor, Context } from '../../server/context.ts'
import { readStoredMessages } from '../../server/delivery/index.ts'
import type { Goal } from '../../server/goals/index.ts'
import { getAgentInboxId } from '../../server/registry/index.ts'
import { getHold } from '../../server/settlement/index.ts'
import { findTeam, getTeam, listSubTeams } from '../../server/teams/index.ts'
import type { TestPerson, TestWorld } from './world.ts'

/** An agent without a socket: its commands go directly to the command bus, and the server signs its messages. */
export type TestAgent = {
  readonly agentId: string
  readonly did: string
  readonly payee: string
  /** Who holds the key of the payee. */
  readonly owner: TestPerson
  readonly ctx: Context
  send<T = Record<string, unknown>>(command: { type: CommandType; [field: string]: unknown }): Promise<T>
}

type Royalty = { readonly agent_id: string; readonly bps: number }

export const stepPrice = 1_000_000n

/** Publishes a listing with one skill and acts for it. */
export async function publishTestAgent(
  world: TestWorld,
  owner: TestPerson,
  handle: string,
  skillId: string,
  outputs: readonly string[] = ['text.plain'],
  more: { inputs?: readonly string[]; price?: bigint; name?: string; summary?: string; royalties?: readonly Royalty[] } = {},
): Promise<TestAgent> {
  const skill = {
    id: skillId,
    name: skillId,
    description: `Does ${skillId}.`,
    inputs: (more.inputs ?? []).map((type, index) => ({ name: `in_${index}`, type })),
    outputs: outputs.map((type, index) => ({ name: `out_${index}`, type })),
    price: (more.price ?? stepPrice).toString(),
  }
  const { name = handle, summary = `The agent ${handle}.`, royalties = [] } = more
  return publishTestListing(world, owner, { handle, name, summary, skills: [skill], royalties } as never)
}

/** Publishes a listing and acts for it. */
export async function publishTestListing(
  world: TestWorld,
  owner: TestPerson,
  draft: Parameters<TestWorld['publish']>[1],
): Promise<TestAgent> {
  const published = await world.publish(owner, draft)
  const actor: Actor = {
    kind: 'agent',
    did: published.did as `did:web:${string}`,
    agentId: published.agent_id,
    ownerDid: owner.did,
    hasKey: false,
  }
  const ctx = world.world.contextFor(actor)
  const agent: TestAgent = {
    agentId: published.agent_id,
    did: published.did,
    payee: owner.account.address.toLowerCase(),
    owner,
    ctx,
    send: async <T>({ unsigned, ...command }: { type: CommandType; [field: string]: unknown }) => {
      const signed = unsigned || command.member_signature ? {} : await signatureFor(world, agent, command)
      return (await dispatchCommand(ctx, { ...command, ...signed } as unknown as Command)) as T
    },
  }
  agentsByWorld.set(world, [...(agentsByWorld.get(world) ?? []), agent])
  return agent
}

/** Everyone who was cast in a world. */
const agentsByWorld = new WeakMap<TestWorld, TestAgent[]>()

/** As the library does for an agent that holds its payee's key: a charter is proposed and accepted with its signature. */
async function signatureFor(world: TestWorld, agent: TestAgent, command: { type: CommandType; [field: string]: unknown }) {
  if (command.type === 'team.propose') return memberSignature(world, agent, command.charter as Charter)
  if (command.type === 'task.complete') return submissionSignature(world, agent, command)
  if (command.type !== 'team.accept') return {}
  const [goalId, hash] = [String(command.goal_id), String(command.charter_hash)]
  const team = await findTeam(world.system, goalId)
  const nested = (await listSubTeams(world.system, goalId)).find((one) => one.proposal?.charterHash === hash)
  const charter = nested?.proposal?.charter ?? (team?.charterHash === hash ? team.charter : null)
  return charter ? memberSignature(world, agent, charter) : {}
}

/** The payee's signature that it hands its step in, where it holds the key. */
async function submissionSignature(world: TestWorld, agent: TestAgent, command: { [field: string]: unknown }) {
  const task = await world.system.db.task.findUnique({ where: { id: String(command.task_id) }, select: { goalId: true, step: true } })
  const team = task && (await findTeam(world.system, task.goalId))
  const plan = task && (await planOf(world, task.goalId))
  if (!team || !plan || team.charter.steps.find((one) => one.step === task.step)?.payee !== agent.payee) return {}
  const files = (command.artifacts as { content: string }[]).map(({ content }) =>
    createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex'),
  )
  const typedData = stepSubmissionTypedData({ plan, version: team.version, step: task.step, outputs_hash: await outputsHash(files) })
  const signature = await agent.owner.account.signTypedData(typedData)
  return { submission_signature: { signer: agent.payee, signature } }
}

/** All payees of a charter accept it, except its proposer. */
export async function acceptByAll(world: TestWorld, charter: Charter, proposer: TestAgent): Promise<void> {
  const paid = new Set<string>(charter.steps.map((step) => step.agent_id))
  const charter_hash = await charterHash(charter)
  for (const agent of agentsByWorld.get(world) ?? [])
    if (paid.has(agent.agentId) && agent.agentId !== proposer.agentId)
      await agent.send({ type: 'team.accept', goal_id: charter.goal_id, charter_hash })
}

export type GoalFixture = {
  readonly world: TestWorld
  readonly client: TestPerson
  readonly publisher: TestPerson
  readonly lead: TestAgent
  readonly first: TestAgent
  readonly second: TestAgent
  readonly goal: Goal
  charter(changes?: Partial<Charter>): Charter
}

const brief = { text: 'Write two short texts, please.' }

/**
 * A funded goal that `lead` has claimed, with two workers listed: nothing proposed yet. `prefix`: of the handles, which a
 * market gives once. `open`: posts and funds it, by wallet by default, for `lead` to claim. `royalties`: of the second worker.
 */
export async function createFundedGoal(
  world: TestWorld,
  prefix = '',
  open: (client: TestPerson, lead: TestAgent) => Promise<Goal> = (client) => world.postFundedGoal(client, brief),
  royalties: readonly Royalty[] = [],
): Promise<GoalFixture> {
  const client = await world.person()
  const publisher = await world.person({ usdc: 0n })
  const lead = await publishTestAgent(world, publisher, `${prefix}lead`, 'goal.plan', ['plan'])
  const first = await publishTestAgent(world, publisher, `${prefix}first`, 'text.first')
  const second = await publishTestAgent(world, publisher, `${prefix}second`, 'text.second', undefined, { royalties })
  const opened = await open(client, lead)
  await lead.send({ type: 'goal.claim', goal_id: opened.id })
  const goal = await world.goal(opened.id)
  const step = (number: number, agent: TestAgent, skillId: string, dependsOn: number[]) => ({
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
    room_id: goal.roomId as never,
    version: 1,
    client_id: client.did as never,
    principal_id: lead.did as never,
    evaluator_id: world.world.market.evaluator,
    asset: goal.asset,
    total: goal.budget.toString(),
    fee_bps: world.world.market.feeBps,
    on_review_timeout: 'pay_if_delivered',
    steps: [step(1, first, 'text.first', []), step(2, second, 'text.second', [1])],
    ...changes,
  })
  return { world, client, publisher, lead, first, second, goal, charter }
}

/** The client vetoes the newest charter by its wallet. */
export async function vetoTeamAs(world: TestWorld, client: TestPerson, goalId: string): Promise<void> {
  const plan = await planOf(world, goalId)
  if (!plan) throw new Error('the money of the goal lies in no escrow')
  const { version } = await getTeam(world.system, goalId)
  const signature = await client.account.signTypedData(charterVetoTypedData(plan, version))
  await client.send({ type: 'team.veto', goal_id: goalId, version, reason: 'Not these.', signature })
}

/** Proposes the charter and lets both members sign it. */
export async function agreeTeam({ lead, first, second, goal, charter }: GoalFixture): Promise<`0x${string}`> {
  const proposal = charter()
  await lead.send({ type: 'team.propose', goal_id: goal.id, charter: proposal })
  const hash = await charterHash(proposal)
  for (const member of [first, second]) await member.send({ type: 'team.accept', goal_id: goal.id, charter_hash: hash })
  return hash
}

/** The escrow's plan of a goal; null where its money lies in none. */
export async function planOf(world: TestWorld, goalId: string): Promise<EscrowPlan | null> {
  const { chainId, escrow, planId } = await getHold(world.system, goalId)
  return planId === null ? null : { chain_id: chainId, escrow, plan_id: planId }
}

/** The payee's signature under a charter, where it is asked for. */
async function memberSignature(world: TestWorld, member: TestAgent, charter: Charter) {
  const own = charter.steps.filter((step) => step.agent_id === member.agentId)
  // Who is paid elsewhere holds no key to sign with.
  if (own.length === 0 || own.some((step) => step.payee !== member.payee)) return {}
  const plan = await planOf(world, charter.goal_id).catch(() => null)
  if (!plan) return {}
  const typedData = charterTypedData(charter, await charterHash(charter), plan)
  return { member_signature: { signer: member.payee, signature: await member.owner.account.signTypedData(typedData) } }
}

/** The client approves the newest charter by its wallet. Nothing where its money lies in no escrow. */
export async function approveTeam(world: TestWorld, client: TestPerson, goalId: string): Promise<void> {
  const plan = await planOf(world, goalId)
  if (!plan) return
  const { charter, charterHash: hash, version } = await getTeam(world.system, goalId)
  const signature = await client.account.signTypedData(charterAuthorizationTypedData(charter, hash as `0x${string}`, plan))
  await client.send({ type: 'team.authorize', goal_id: goalId, version, signature })
}

/** Agrees, seals, and waits until the client has approved it and work may begin. */
export async function sealTeamOf(stage: GoalFixture): Promise<void> {
  await agreeTeam(stage)
  await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
  await stage.world.until('the charter in force', async () => (await getTeam(stage.world.system, stage.goal.id)).recordedAt)
}

export function newTaskId(): string {
  return prefixedId('tsk', uuidv7(Date.now(), randomBytes(10)))
}

export function textUpload(content: string, artifactType = 'text.plain') {
  return { name: 'text.txt', media_type: 'text/plain', artifact_type: artifactType, content: Buffer.from(content).toString('base64') }
}

/** Assigns a step and lets its agent complete it. */
export async function doStep(stage: GoalFixture, step: number, worker: TestAgent): Promise<string> {
  const taskId = newTaskId()
  await stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: taskId, step })
  await worker.send({ type: 'task.complete', task_id: taskId, artifacts: [textUpload(`Text of step ${step}.`)] })
  return taskId
}

/** Seals, does both steps and concludes: the goal is in review. */
export async function deliverForReview(stage: GoalFixture): Promise<string[]> {
  await sealTeamOf(stage)
  const taskIds = [await doStep(stage, 1, stage.first), await doStep(stage, 2, stage.second)]
  await stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'delivered', parts: [{ text: 'Both texts are there.' }] })
  return taskIds
}

/** The data parts that the server has put into an agent's inbox, oldest first. */
export async function inboxData(
  stage: Pick<GoalFixture, 'world'>,
  agentId: string,
): Promise<{ readonly kind?: unknown; readonly [field: string]: unknown }[]> {
  const { system } = stage.world
  const messages = await readStoredMessages(system, { roomId: await getAgentInboxId(system, agentId), after: 0, limit: 1_000 })
  return messages.flatMap(({ body }) => (JSON.parse(body) as Envelope).parts.flatMap((part) => (part.data ? [part.data] : [])))
}

/** Audit rows of one action on one subject. */
export function countAudit(stage: Pick<GoalFixture, 'world'>, chain: string, action: string): Promise<number> {
  return stage.world.system.db.auditEntry.count({ where: { chain, action } })
}
