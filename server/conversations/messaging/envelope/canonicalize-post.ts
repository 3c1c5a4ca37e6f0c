import { type ConversationState, canonicalize, type Envelope, isUnescaped, type Json } from '@parley/protocol'
import { type Spelled, spelledOf } from '../../../delivery/index.ts'
import { draftOf, type Utterance } from './draft-envelope.ts'

/** What is the same of a message in whatever state of the conversation it is said. `parts`: in their canonical form, in pieces. */
export type Unspelled = {
  readonly id: string
  readonly groupId: string
  readonly sender: string
  readonly say: Utterance
  readonly parts: readonly string[]
}

/** Parts in their canonical form, as pieces that follow on one another; most are a text. */
export function spellParts(parts: Utterance['parts']): readonly string[] {
  const [only] = parts
  const text = only?.text
  if (!text?.isWellFormed() || parts.length > 1 || Object.keys(only as object).length > 1) return [canonicalize(parts as unknown as Json)]
  return isUnescaped(text) ? ['[{"text":"', text, '"}]'] : ['[{"text":', JSON.stringify(text), '}]']
}

/** Talk for which the server vouches, as `spell` writes it: what we made or have checked is not escaped again. */
export function spellTalk(words: Unspelled, state: ConversationState): Spelled {
  const { id, groupId, sender, say, parts } = words
  const { act, to, replyTo } = say
  const envelope = { v: '1', ...draftOf({ id, groupId, sender, say, state }) } as Envelope
  const [first, ...rest] = parts
  return spelledOf(envelope, [
    [`"group_id":"${groupId}","id":"${id}","parts":${first}`, ...rest],
    `${replyTo === undefined ? '' : `"reply_to":${JSON.stringify(replyTo)},`}"sender_id":"${sender}"`,
    '',
    `"state":"${state}"${to === undefined ? '' : `,"to":${canonicalize([...to])}`},"type":${JSON.stringify(act)},"v":"1"`,
  ])
}
