import type { Envelope } from '@parley/protocol'
import { findMessageData } from './message-data.ts'

/** One version of the text plan that the lead of a room maintains. `author`: DID. `seq`: the message that holds it. */
export type PlanDocument = { readonly version: number; readonly text: string; readonly author: string; readonly seq: number }

/** The plan document after a message of the lead. Versions are consecutive; a message with any other number changes nothing. */
export function nextPlanDocument(before: PlanDocument | null, envelope: Envelope): PlanDocument | null {
  const version = findMessageData(envelope, 'plan.version')?.version
  if (typeof version !== 'number' || version !== (before?.version ?? 0) + 1) return before
  const text = envelope.parts.flatMap((part) => part.text ?? []).join('\n')
  return { version, text, author: envelope.sender_id, seq: envelope.seq ?? 0 }
}
