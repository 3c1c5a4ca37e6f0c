import type { Envelope } from '@parley/protocol'
import { dataOf } from './message-data.ts'

/** A version of the plan that the lead of a room keeps in words. */
export type PlanInWords = { readonly version: number; readonly text: string; readonly author: string; readonly seq: number }

/** The plan after a message of who leads. Versions come in their order: what has another number is no version. */
export function planAfter(before: PlanInWords | null, envelope: Envelope): PlanInWords | null {
  const version = dataOf(envelope, 'plan.version')?.version
  if (typeof version !== 'number' || version !== (before?.version ?? 0) + 1) return before
  const text = envelope.parts.flatMap((part) => part.text ?? []).join('\n')
  return { version, text, author: envelope.sender_id, seq: envelope.seq ?? 0 }
}
