import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { listSteps } from '../charters/step-store.ts'
import { advanceSubTeam, type SubTeamOutcome } from './sub-team.ts'
import { lockSubTeam, saveSubTeam } from './sub-team-store.ts'

/**
 * The task of a sub-team has ended: ends its room and drops its undone steps. Part of the transaction that ends the task, after its
 * subtasks have ended.
 */
export async function endSubTeam(tx: Context, roomId: string, outcome: SubTeamOutcome): Promise<void> {
  const team = await lockSubTeam(tx, roomId)
  if (team.endedAt !== null) return
  await saveSubTeam(tx, advanceSubTeam(team, { type: 'end', outcome, at: tx.clock.now() }))
  const steps = (await listSteps(tx, team.goalId)).filter((step) => step.roomId === roomId && !step.canceled)
  const undone = steps.filter((step) => step.state !== 'done').map((step) => step.step)
  await tx.db.step.updateMany({ where: { goalId: team.goalId, step: { in: undone } }, data: { canceled: true } })
  const data = { goal_id: team.goalId, room_id: roomId, task_id: team.taskId, step: team.step, outcome, canceled: undone }
  await postSystemMessage(tx, {
    roomId,
    state: 'conclusion',
    kind: 'sub_team.ended',
    text:
      outcome === 'completed'
        ? 'The task of this team is done: its result was handed up.'
        : 'The task of this team has ended without a result.',
    data,
  })
  if (undone.length > 0)
    await postSystemMessage(tx, {
      roomId: team.parentRoomId,
      kind: 'steps.canceled',
      text: `Of the team for step ${team.step}, ${undone.length === 1 ? `step ${undone[0]} is` : `steps ${undone.join(', ')} are`} not done any more.`,
      data,
    })
  await appendAudit(tx, {
    stream: team.goalId,
    action: 'team.end',
    before: { state: team.state },
    after: { room_id: roomId, outcome, canceled: undone },
  })
}
