import { randomBytes } from 'node:crypto'
import type { Charter, GoalOffer } from '@parley/protocol'
import type { BuiltinName } from '../../agents/builtin/agent-names.ts'
import { listingDraftOf } from '../../agents/builtin/listings.ts'
import { markOnline } from '../../server/registry/index.ts'
import { acceptByAll, newTaskId, publishTestListing, type TestAgent, textUpload } from './goal-fixture.ts'
import type { TestPerson, TestWorld } from './world.ts'

/** Agents with the listings of built-in ones, online, so that goals are quoted with them. A test acts for them. */
export type QuotedTeam = { readonly lead: TestAgent; readonly agents: readonly TestAgent[] }

/** `owners`: who publishes each, and is paid. One of them is the principal. */
export async function publishQuotedTeam(
  world: TestWorld,
  owners: Partial<Record<BuiltinName, TestPerson>>,
  prefix = '',
): Promise<QuotedTeam> {
  const agents: TestAgent[] = []
  let lead: TestAgent | undefined
  for (const [name, owner] of Object.entries(owners) as [BuiltinName, TestPerson][]) {
    const draft = listingDraftOf(name, owner.account.address)
    const agent = await publishTestListing(world, owner, { ...draft, handle: `${prefix}${draft.handle}` })
    agents.push(agent)
    if (name === 'principal') lead = agent
  }
  if (!lead) throw new Error('no principal is among the cast')
  await beOnline(world, { lead, agents })
  return { lead, agents }
}

/** Marks all as online, which lapses without a connection. */
export async function beOnline(world: TestWorld, { agents }: QuotedTeam): Promise<void> {
  for (const { agentId } of agents) await markOnline(world.system, agentId, 'stage')
}

/** The principal takes a quoted goal, and proposes the charter that it is offered. */
export async function formQuotedTeam(world: TestWorld, { lead }: QuotedTeam, goalId: string): Promise<Charter> {
  const { offer } = await lead.send<{ offer: GoalOffer }>({ type: 'goal.claim', goal_id: goalId })
  const { charter } = offer
  if (!charter) throw new Error('the offer has no quoted charter')
  await lead.send({ type: 'team.propose', goal_id: goalId, charter })
  await acceptByAll(world, charter, lead)
  await lead.send({ type: 'team.seal', goal_id: goalId })
  await world.until('the team at work', async () => (await world.system.db.team.findUnique({ where: { goalId } }))?.recordedAt)
  return charter
}

/** From the open goal to the delivery. */
export async function deliverQuoted(world: TestWorld, fixture: QuotedTeam, goalId: string): Promise<Charter> {
  const charter = await formQuotedTeam(world, fixture, goalId)
  for (const { step, agent_id, outputs } of charter.steps) {
    const task_id = newTaskId()
    const agent = fixture.agents.find((one) => one.agentId === agent_id)
    await fixture.lead.send({ type: 'task.assign', goal_id: goalId, task_id, step })
    const artifacts = outputs.map((type) => textUpload(`${type} ${randomBytes(16).toString('hex')}`, type))
    await agent?.send({ type: 'task.complete', task_id, artifacts })
  }
  await fixture.lead.send({ type: 'goal.conclude', goal_id: goalId, outcome: 'delivered', parts: [{ text: 'Done.' }] })
  return charter
}
