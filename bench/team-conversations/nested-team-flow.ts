/**
 * A task whose agent leads a sub-team for it, on the real server. The worker opens a room, hires the helper there by a charter that the
 * chain records, waits for its part, and delivers the result.
 */
import { leadSubTeam, newMessageId, takeTurns } from '@parley/agents'
import { prefixedId } from '@parley/protocol'
import { type BenchTeam, doTask } from './team-agents.ts'

/** `hiredMs`: until the helper had its task. It includes the chain's record of the charter. */
export type NestedRun = { readonly ms: number; readonly hiredMs: number; readonly ended: boolean }
const maxMs = 60_000

export async function runNestedTeam({ lead, worker, helper, open }: BenchTeam, mode: 'sync' | 'async'): Promise<NestedRun> {
  const room = await open(mode)
  const task_id = prefixedId('tsk', newMessageId())
  const over = Promise.withResolvers<void>()
  const failed = (error: unknown) => over.reject(error)
  let hiredMs = 0
  let below = ''
  const stops = [
    takeTurns(
      lead,
      async ({ room_id, room: { tasks } }) => {
        if (room_id !== room.roomId || tasks[task_id]?.status !== 'completed') return null
        const parts = [{ text: 'Here is the report.' }]
        await lead.concludeGoal({ goal_id: room.goalId, room_id, outcome: 'delivered', parts })
        over.resolve()
        return null
      },
      { onError: failed },
    ),
    worker.on('task', async (task) => {
      if (task.task_id !== task_id) return
      await leadSubTeam(worker, task, [{ skill_id: 'text.help', mode }]).catch(failed)
      await doTask(worker, task)
    }),
    helper.on('task', async (task) => {
      hiredMs = performance.now() - start
      below = task.room_id
      await doTask(helper, task)
    }),
  ]
  const start = performance.now()
  await lead.assignTask({ goal_id: room.goalId, room_id: room.roomId, task_id, step: 1 })
  if (mode === 'async') await lead.postMessage({ room_id: room.roomId, act: 'pause' }, { triggers: [task_id] })
  const timer = setTimeout(() => over.reject(new Error(`not ended after ${maxMs} ms`)), maxMs)
  const isOver = await over.promise.then(
    () => true,
    (error: unknown) => {
      console.error(error)
      return false
    },
  )
  const ms = performance.now() - start
  clearTimeout(timer)
  for (const stop of stops) stop()
  return { ms, hiredMs, ended: isOver && (await isEnded(helper, below)) }
}

/** Whether the sub-team's room has ended with its task. */
async function isEnded(helper: BenchTeam['helper'], roomId: string): Promise<boolean> {
  return roomId !== '' && (await helper.conversation(roomId)).closed === 'ended'
}
