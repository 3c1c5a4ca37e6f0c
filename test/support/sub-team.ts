import { type Charter, type CharterStep, hireInto } from '@parley/protocol'
import { readNextCharterVersion } from '../../server/teams/charters/next-charter-version.ts'
import { getTeam } from '../../server/teams/index.ts'
import { acceptByAll, type GoalFixture, newTaskId, type TestAgent, textUpload } from './goal-fixture.ts'

export type Hired = {
  readonly agent: TestAgent
  readonly skillId: string
  readonly amount: bigint
  readonly after?: readonly number[]
  readonly title?: string
}

/** Opens the room of a task's team. */
export async function openSubTeamRoom(lead: TestAgent, taskId: string): Promise<{ room_id: string; step: number }> {
  return lead.send({ type: 'sub_team.create', task_id: taskId })
}

/** The charter in which `step` pays these, as its agent would propose it now. */
export async function buildHiringCharter(
  fixture: GoalFixture,
  room: { room_id: string; step: number },
  hired: readonly Hired[],
): Promise<Charter> {
  const team = await getTeam(fixture.world.system, fixture.goal.id)
  const steps = hired.map(({ agent, skillId, amount, after = [], title = skillId }) => ({
    title,
    skill_id: skillId,
    agent_id: agent.agentId as CharterStep['agent_id'],
    sender_id: agent.did as CharterStep['sender_id'],
    payee: agent.payee,
    amount: amount.toString(),
    mode: 'async' as const,
    inputs: [],
    outputs: ['text.plain'],
    after,
  }))
  return hireInto(team.charter, { ...room, steps, version: await readNextCharterVersion(fixture.world.system, team) })
}

/** Proposes, lets the hired sign, seals, and waits until the escrow has it. Resolves with the numbers of the new steps. */
export async function hire(
  fixture: GoalFixture,
  lead: TestAgent,
  room: { room_id: string; step: number },
  hired: readonly Hired[],
): Promise<number[]> {
  const charter = await buildHiringCharter(fixture, room, hired)
  const { goal, world } = fixture
  const own = { goal_id: goal.id, room_id: room.room_id }
  await lead.send({ type: 'team.propose', ...own, charter })
  await acceptByAll(world, charter, lead)
  await lead.send({ type: 'team.seal', ...own })
  await world.until('the charter on chain', async () => {
    const team = await getTeam(world.system, goal.id)
    return team.version === charter.version && team.recordedAt
  })
  return charter.steps.slice(-hired.length).map((step) => step.step)
}

/** Assigns a step of a team; `does`: its agent completes it too. */
export async function assignStep(fixture: GoalFixture, lead: TestAgent, step: number, does?: TestAgent): Promise<string> {
  const taskId = newTaskId()
  await lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: taskId, step })
  if (does) await completeTask(does, taskId)
  return taskId
}

export function completeTask(agent: TestAgent, taskId: string) {
  return agent.send({ type: 'task.complete', task_id: taskId, artifacts: [textUpload(`The result of ${taskId}.`)] })
}
