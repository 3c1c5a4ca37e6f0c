import { type ConversationState, canonicalize, type Envelope, isUnescaped, type Json } from '@parley/protocol'
import { assembleCanonical, type CanonicalEnvelope } from '../../../delivery/index.ts'
import { draftEnvelope, type MessageContent } from './draft-envelope.ts'

/** What is the same of a message in whatever state of the conversation it is said. `parts`: in their canonical form, in pieces. */
export type PostTemplate = {
  readonly id: string
  readonly groupId: string
  readonly sender: string
  readonly content: MessageContent
  readonly parts: readonly string[]
}

/** Parts in their canonical form, as pieces that follow on one another; most are a text. */
export function canonicalizeParts(parts: MessageContent['parts']): readonly string[] {
  const [only] = parts
  const text = only?.text
  if (!text?.isWellFormed() || parts.length > 1 || Object.keys(only as object).length > 1) return [canonicalize(parts as unknown as Json)]
  return isUnescaped(text) ? ['[{"text":"', text, '"}]'] : ['[{"text":', JSON.stringify(text), '}]']
}

/** Talk for which the server vouches, as `spell` writes it: what we made or have checked is not escaped again. */
export function canonicalizePost(template: PostTemplate, state: ConversationState): CanonicalEnvelope {
  const { id, groupId, sender, content, parts } = template
  const { act, to, replyTo } = content
  const envelope = { v: '1', ...draftEnvelope({ id, groupId, sender, content, state }) } as Envelope
  const [first, ...rest] = parts
  return assembleCanonical(envelope, [
    [`"group_id":"${groupId}","id":"${id}","parts":${first}`, ...rest],
    `${replyTo === undefined ? '' : `"reply_to":${JSON.stringify(replyTo)},`}"sender_id":"${sender}"`,
    '',
    `"state":"${state}"${to === undefined ? '' : `,"to":${canonicalize([...to])}`},"type":${JSON.stringify(act)},"v":"1"`,
  ])
}
