import { coversMessage, hasOwnKey, isPlainText, type PostMessage, readSpeechAct } from '@parley/protocol'
import type { Actor } from '../../context.ts'
import { signatureRequired } from '../errors.ts'

type Sender = Extract<Actor, { kind: 'agent' | 'person' }>

/**
 * Requires content that an agent with a key can delegate: a plain text. A sender without a key has no signature of its own.
 * @throws envelope.signature_required
 */
export function requireDelegableContent({ did }: Sender, { act, parts }: PostMessage): void {
  if (!hasOwnKey(did)) return
  if (readSpeechAct(act) !== 'discussion') throw signatureRequired(did, `a message of the type ${act} cannot be delegated`)
  if (!parts.every(isPlainText)) throw signatureRequired(did, 'data and files cannot be delegated')
}

/**
 * The delegation under which the server signs a message, as canonical JSON; null if its sender has no key. `id` has the time of the
 * message.
 * @throws envelope.signature_required
 */
export function delegationFor(sender: Sender, { roomId, id }: { readonly roomId: string; readonly id: string }): string | null {
  if (!hasOwnKey(sender.did)) return null
  const delegation = sender.kind === 'agent' ? sender.delegation : undefined
  if (!delegation) throw signatureRequired(sender.did, 'it has given this server no delegation')
  if (!coversMessage(delegation, { room_id: roomId, id }))
    throw signatureRequired(sender.did, 'its delegation does not cover this room at this time')
  return delegation.canonical
}
