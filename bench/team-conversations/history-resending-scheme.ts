/**
 * A scheme that other frameworks for teams of models use, computed with the same texts. Each frame contains the goal and all members, and
 * is sent to all members. Each turn of a model receives the goal, the members, all tasks and the whole history. Both sides leave out the
 * instructions to the model, which both schemes have.
 */
import { compressedBytesOf } from '../wire-bytes/compress-messages.ts'
import { goal, teamMembers } from './scripted-model.ts'

/** `bytes`: on the wire, including frame headers. `compressed`: the same with compression and context takeover on both sides. */
export type SchemeCost = { readonly tokens: number; readonly bytes: number; readonly compressed: number; readonly turns: number }
type SentMessage = {
  readonly by: string
  readonly content: string
  readonly type: number
  readonly task?: { id: string; desc: string; conclusion?: string }
}

/** About four characters per token, on both sides. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)
/** Bytes of a frame's header. Frames of agents are masked. */
const head = { up: 8, down: 4 }

/** `messages`: the messages on the wire, in order. `thinks`: after which of them a model is called. */
export function schemeCostOf(messages: readonly SentMessage[], thinks: readonly number[]): SchemeCost {
  const frames = messages.map(({ by, content, type, task }) => ({
    content,
    sender: by,
    comm_id: '0'.repeat(32),
    next_speaker: [by === 'lead' ? 'worker' : 'lead'],
    state: 1,
    type,
    proposal_id: '',
    goal,
    team_members: teamMembers.map(({ name, desc }) => ({ name, type: 'Thing Assistant', desc })),
    team_up_depth: null,
    task_id: task?.id ?? '',
    task_desc: task?.desc ?? '',
    task_conclusion: task?.conclusion ?? '',
    task_abstract: '',
    triggers: [],
    updated_plan: '',
    is_collaborative_planning_enabled: false,
    max_turns: null,
  }))
  // Each frame is sent up once, and down to every member, the sender included.
  const payloads = frames.map((frame) => Buffer.from(JSON.stringify(frame)))
  const down = payloads.reduce((sum, payload) => sum + payload.length + head.down, 0)
  const up = payloads.reduce((sum, payload) => sum + payload.length + head.up, 0)
  const ups = teamMembers.map(({ name }) =>
    compressedBytesOf(
      payloads.filter((_, index) => frames[index]?.sender === name),
      head.up,
    ),
  )
  const compressed = ups.reduce((sum, bytes) => sum + bytes, compressedBytesOf(payloads, head.down) * teamMembers.length)
  const prompts = thinks.map((after) => {
    const history = messages.slice(0, after).map(({ by, content }) => `${by}: ${content}`)
    const tasks = messages.slice(0, after).flatMap(({ task }) => (task ? [`${task.id} ${task.desc} ${task.conclusion ?? ''}`] : []))
    return [goal, ...teamMembers.map(({ name, desc }) => `${name}: ${desc}`), ...tasks, ...history].join('\n')
  })
  return {
    tokens: prompts.reduce((sum, prompt) => sum + tokensOf(prompt), 0),
    bytes: up + down * teamMembers.length,
    compressed,
    turns: thinks.length,
  }
}
