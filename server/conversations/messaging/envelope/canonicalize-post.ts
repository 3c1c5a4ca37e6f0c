import { type ConversationState, canonicalize, type Envelope, isUnescaped, type Json } from '@parley/protocol'
import { assembleCanonical, type CanonicalEnvelope } from '../../../delivery/index.ts'
import { draftEnvelope, type MessageContent } from './draft-envelope.ts'

/** The part of a post that does not depend on the conversation state. `parts`: canonical JSON segments. */
export type PostTemplate = {
  readonly id: string
  readonly roomId: string
  readonly sender: string
  readonly content: MessageContent
  readonly parts: readonly string[]
}

/** The canonical JSON of the parts, as segments. The common case of one text part avoids the general serializer. */
export function canonicalizeParts(parts: MessageContent['parts']): readonly string[] {
  const [only] = parts
  const text = only?.text
  if (!text?.isWellFormed() || parts.length > 1 || Object.keys(only as object).length > 1) return [canonicalize(parts as unknown as Json)]
  return isUnescaped(text) ? ['[{"text":"', text, '"}]'] : ['[{"text":', JSON.stringify(text), '}]']
}

/**
 * The canonical form of a post that the server vouches for, equal to that of `canonicalizeEnvelope`. Values that are safe by construction
 * are not escaped again.
 */
export function canonicalizePost(template: PostTemplate, state: ConversationState): CanonicalEnvelope {
  const { id, roomId, sender, content, parts } = template
  const { act, to, replyTo } = content
  const envelope = { v: '1', ...draftEnvelope({ id, roomId, sender, content, state }) } as Envelope
  const [first, ...rest] = parts
  return assembleCanonical(envelope, [
    [`"id":"${id}","parts":${first}`, ...rest],
    `${replyTo === undefined ? '' : `"reply_to":${JSON.stringify(replyTo)},`}"room_id":"${roomId}","sender_id":"${sender}"`,
    '',
    `"state":"${state}"${to === undefined ? '' : `,"to":${canonicalize([...to])}`},"type":${JSON.stringify(act)},"v":"1"`,
  ])
}
