import { type Charter, charterHash } from '@parley/protocol'
import type { Goal } from '../../server/goals/index.ts'
import { listTasks } from '../../server/tasks/index.ts'
import { type GoalFixture, newTaskId, type TestAgent } from '../support/goal-fixture.ts'
import { hire, openSubTeamRoom } from '../support/sub-team.ts'
import type { TestPerson, TestWorld } from '../support/world.ts'

/** The planner of a copilot goal asks its client: of the charter, one step is confirmed with it, and the next one asks. */
export async function draftCharter(lead: TestAgent, goal: Goal, charter: Charter): Promise<void> {
  const reason = 'These five have done the most goals of this kind, and together they cost least.'
  await lead.send({ type: 'charter.submit', goal_id: goal.id, charter, reason })
}

/** The client's decision on the charter; the first step may begin without asking again. */
export async function confirmDraft(client: TestPerson, goal: Goal, charter: Charter): Promise<void> {
  await client.send({ type: 'charter.confirm', goal_id: goal.id, charter_hash: await charterHash(charter), steps: [1] })
}

type Hire = { readonly agent: TestAgent; readonly skillId: string; readonly title: string; readonly says: string }

/** The agent of a step is given it and hires a team: two at work beside it, and the room's talk. Returns the room. */
export async function hireTeam(
  { world, lead, goal }: { world: TestWorld; lead: TestAgent; goal: Goal },
  { step, hirer, hires }: { step: number; hirer: TestAgent; hires: readonly Hire[] },
): Promise<string> {
  const taskId = newTaskId()
  await lead.send({ type: 'task.assign', goal_id: goal.id, task_id: taskId, step })
  const room = await openSubTeamRoom(hirer, taskId)
  const numbers = await hire(
    { world, goal } as GoalFixture,
    hirer,
    room,
    hires.map((one) => ({ ...one, amount: 150_000n })),
  )
  for (const [index, { agent, says }] of hires.entries()) {
    const task_id = newTaskId()
    await hirer.send({ type: 'task.assign', goal_id: goal.id, task_id, step: numbers[index] ?? 0 })
    await agent.send({ type: 'task.progress', task_id, done: 30 + 40 * index, text: says })
  }
  return room.room_id
}

/** Sends progress for the working agents, because a task without progress for one minute is assigned to another agent. */
export async function stayAtWork(world: TestWorld, goalId: string, workers: readonly TestAgent[]): Promise<void> {
  for (const task of await listTasks(world.system, goalId)) {
    const agent = workers.find((one) => one.agentId === task.agentId)
    if (task.state === 'working' && agent) await agent.send({ type: 'task.progress', task_id: task.id, done: task.done ?? 50 })
  }
}
