/** The compared flows: a long discussion, a task that the room waits for, and one for which it pauses. */
import { newMessageId, summarizeTurn, type Turn, type TurnMessage, takeTurns } from '@parley/agents'
import { prefixedId } from '@parley/protocol'
import { type SchemeCost, schemeCostOf, tokensOf } from './history-resending-scheme.ts'
import { goal, turnText } from './scripted-model.ts'
import { type BenchTeam, doTask, type Room } from './team-agents.ts'
import type { TrafficDirection, TrafficProxy } from './traffic-proxy.ts'

/** `traffic`: the traffic of the agents' connections, if it was recorded. */
export type FlowRun = {
  readonly ms: number
  readonly cpuMs: number
  readonly ours: Pick<SchemeCost, 'tokens' | 'turns'>
  readonly theirs: SchemeCost
  readonly traffic: readonly TrafficDirection[]
}
export const turns = 20

const newTask = () => prefixedId('tsk', newMessageId())
/** The input of the model for a turn: the goal, a short summary of the room, and the new messages. */
const promptOf = (turn: Turn) => `${goal}\n${summarizeTurn(turn)}`

/** Runs a flow: `first` starts it, and `lead` and `worker` supply the text of each of their turns. */
async function runFlow(
  team: BenchTeam,
  room: Room,
  script: { first(): Promise<unknown>; lead(turn: Turn): Promise<TurnMessage | 'conclude' | null>; worker(turn: Turn): TurnMessage | null },
  proxy: TrafficProxy | undefined,
): Promise<{ ms: number; cpuMs: number; traffic: readonly TrafficDirection[]; tokens: number; turns: number }> {
  const { lead, worker } = team
  await proxy?.end()
  proxy?.begin()
  const concluded = Promise.withResolvers<void>()
  let tokens = 0
  let asked = 0
  const count = (turn: Turn) => {
    tokens += tokensOf(promptOf(turn))
    asked++
  }
  const here = (turn: Turn) => turn.room_id === room.roomId
  const failed = (error: unknown) => concluded.reject(error)
  const stops = [
    takeTurns(
      lead,
      async (turn) => {
        if (!here(turn)) return null
        count(turn)
        const words = await script.lead(turn)
        if (words !== 'conclude') return words
        await lead.concludeGoal({
          goal_id: room.goalId,
          room_id: room.roomId,
          outcome: 'delivered',
          parts: [{ text: 'Here is the report.' }],
        })
        concluded.resolve()
        return null
      },
      { onError: failed },
    ),
    takeTurns(
      worker,
      (turn) => {
        if (!here(turn)) return null
        count(turn)
        return script.worker(turn)
      },
      { onError: failed },
    ),
    worker.on('task', async (task) => {
      if (task.room_id === room.roomId) await doTask(worker, task)
    }),
  ]
  const start = performance.now()
  const cpu = process.cpuUsage()
  await script.first()
  await concluded.promise
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  for (const stop of stops) stop()
  const traffic = (await proxy?.end()) ?? []
  return { ms, cpuMs: (user + system) / 1_000, traffic, tokens, turns: asked }
}

/** The step is done before, so that there is something to conclude; then twenty turns in sequence. */
export async function runDiscussion(team: BenchTeam, proxy?: TrafficProxy): Promise<FlowRun> {
  const { lead, worker } = team
  const room = await team.open('async')
  const done = Promise.withResolvers<void>()
  const off = worker.on('task', async (task) => {
    if (task.room_id !== room.roomId) return
    await doTask(worker, task)
    done.resolve()
  })
  await lead.assignTask({ goal_id: room.goalId, room_id: room.roomId, task_id: newTask(), step: 1 })
  await done.promise
  off()
  let n = 0
  const { ms, cpuMs, traffic, ...ours } = await runFlow(
    team,
    room,
    {
      first: () => lead.postMessage({ room_id: room.roomId, parts: [{ text: turnText(n++) }] }, { next_speakers: [worker.did] }),
      lead: async () => (n >= turns ? 'conclude' : { text: turnText(n++), nextSpeakers: [worker.did] }),
      worker: () => ({ text: turnText(n++), nextSpeakers: [lead.did] }),
    },
    proxy,
  )
  const messages = Array.from({ length: turns }, (_, index) => ({ by: index % 2 ? 'worker' : 'lead', content: turnText(index), type: 4 }))
  const all = [...messages, { by: 'lead', content: 'conclude', type: 10 }, { by: 'lead', content: 'Here is the report.', type: 11 }]
  return {
    ms,
    cpuMs,
    traffic,
    ours,
    theirs: schemeCostOf(
      all,
      Array.from({ length: turns + 2 }, (_, index) => index),
    ),
  }
}

const task = { id: '0'.repeat(36), desc: 'Get the monthly price of bread of the three cities as a table.' }
const result = { ...task, conclusion: 'The table is done.' }

export async function runSyncTask(team: BenchTeam, proxy?: TrafficProxy): Promise<FlowRun> {
  const room = await team.open('sync')
  const { ms, cpuMs, traffic, ...ours } = await runFlow(
    team,
    room,
    {
      first: () => team.lead.assignTask({ goal_id: room.goalId, room_id: room.roomId, task_id: newTask(), step: 1, task_desc: task.desc }),
      lead: async ({ room: { tasks } }) => (Object.values(tasks).every(({ status }) => status === 'completed') ? 'conclude' : null),
      worker: () => null,
    },
    proxy,
  )
  const messages = [
    { by: 'lead', content: turnText(0), type: 5, task },
    { by: 'worker', content: 'The table is done.', type: 7, task: result },
    { by: 'lead', content: 'conclude', type: 10 },
    { by: 'lead', content: 'Here is the report.', type: 11 },
  ]
  // The model is called for the assigner's turn, the rewording of the task, the turn after the result, and the summary.
  return { ms, cpuMs, traffic, ours, theirs: schemeCostOf(messages, [0, 1, 2, 3]) }
}

export async function runPausedTask(team: BenchTeam, proxy?: TrafficProxy): Promise<FlowRun> {
  const { lead } = team
  const room = await team.open('async')
  const id = newTask()
  let paused = false
  const { ms, cpuMs, traffic, ...ours } = await runFlow(
    team,
    room,
    {
      async first() {
        await lead.assignTask({ goal_id: room.goalId, room_id: room.roomId, task_id: id, step: 1, task_desc: task.desc })
        await lead.postMessage({ room_id: room.roomId, act: 'pause' }, { triggers: [id] })
        paused = true
      },
      lead: async ({ room: { tasks } }) => (paused && tasks[id]?.status === 'completed' ? 'conclude' : null),
      worker: () => null,
    },
    proxy,
  )
  const messages = [
    { by: 'lead', content: turnText(0), type: 6, task },
    { by: 'worker', content: 'I have begun.', type: 8, task },
    { by: 'lead', content: 'I wait for the table.', type: 9 },
    { by: 'worker', content: 'The table is done.', type: 7, task: result },
    { by: 'lead', content: 'conclude', type: 10 },
    { by: 'lead', content: 'Here is the report.', type: 11 },
  ]
  // One more than above: the choice of what to wait for.
  return { ms, cpuMs, traffic, ours, theirs: schemeCostOf(messages, [0, 1, 2, 2, 4, 5]) }
}
