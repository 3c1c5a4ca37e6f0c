/** A run as a small document: the messages in order, without keys, addresses, places or clocks. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { canonicalBytes, type DeliveredEnvelope, type Json, sha256 } from '@parley/protocol'
import type { Followed } from './follow-goal.ts'
import type { DemoGoal } from './goals.ts'
import { planIn } from './modes.ts'

const folder = path.join(import.meta.dirname, '../../docs/dawn')
const longest = 400

/** Data that states what was decided; the rest of the room is in its transcript. */
const kept: { readonly [kind: string]: readonly string[] } = {
  plan: ['mode', 'made', 'critical_path', 'estimate'],
  'charter.submitted': ['number'],
  'charter.confirmed': ['number', 'steps'],
  'charter.refused': ['number', 'step', 'reason'],
  'charter.recorded': ['version', 'agreed'],
  task: ['step', 'skill_id'],
  conclusion: ['outcome'],
}

export async function writeRecord(
  goal: DemoGoal,
  followed: Followed,
  model: string,
  figures: { readonly [name: string]: unknown },
): Promise<string> {
  const { run, messages, files } = followed
  const people = new Map(run.participants.map((one) => [one.did, one.handle ?? one.role]))
  const names = new Map(run.participants.flatMap((one) => (one.agentId ? [[one.agentId, one.handle ?? one.role] as const] : [])))
  const start = Date.parse(messages[0]?.received_at ?? '')
  const record = {
    mode: goal.planner ?? 'deterministic',
    goal: { text: goal.text, criteria: goal.criteria, budget: goal.budget.toString() },
    model: planIn(followed)?.asks ? model : null,
    plan: planIn(followed),
    steps: run.steps.map((step) => ({
      step: step.step,
      skill: step.skillId,
      agent: names.get(step.agentId) ?? '',
      amount: step.amount.toString(),
      mode: step.mode,
      after: step.dependsOn,
      state: step.state,
    })),
    outcome: { state: followed.goal.state, ...figures },
    files: await Promise.all(
      [...files].map(async ([type, text]) => ({ type, characters: text.length, sha256: await sha256(new TextEncoder().encode(text)) })),
    ),
    messages: messages.map((message) => lineOf(message, people.get(message.sender_id) ?? 'unknown', start)),
    transcript_sha256: await sha256(canonicalBytes(messages as unknown as Json)),
  }
  const file = path.join(folder, `mode-${record.mode}.json`)
  writeFileSync(file, `${JSON.stringify(record, null, 1)}\n`)
  return path.relative(path.join(folder, '../..'), file)
}

function lineOf(message: DeliveredEnvelope, from: string, start: number): { readonly [field: string]: unknown } {
  const text = message.parts
    .map((part) => part.text ?? '')
    .filter(Boolean)
    .join(' ')
  const data = message.parts.flatMap((part) => {
    const fields = kept[String(part.data?.kind)]
    return part.data && fields
      ? [
          {
            kind: part.data.kind,
            ...Object.fromEntries(fields.flatMap((name) => (name in (part.data ?? {}) ? [[name, part.data?.[name]]] : []))),
          },
        ]
      : []
  })
  return {
    seq: message.seq,
    after_s: Number(((Date.parse(message.received_at) - start) / 1_000).toFixed(1)),
    from,
    type: message.type,
    ...(text && { text: text.length > longest ? `${text.slice(0, longest)}…` : text }),
    ...(data.length > 0 && { data }),
  }
}
