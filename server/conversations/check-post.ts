import type { ConversationState, EnvelopeDraft, PostMessage } from '@parley/protocol'
import { readSpeechAct } from '@parley/protocol'
import type { Context } from '../context.ts'
import { type Sealed, seal, spell } from '../delivery/index.ts'
import type { Words } from './budget-rows.ts'
import { envelopeSignatureInvalid, notMember } from './errors.ts'
import { draftOf, isSigned, readGiven, screen, withSignature } from './speak.ts'

/**
 * Talk that may be said as far as its own words go; whether its sender is in the room, the room's own turn will tell.
 * `signed`: with the sender's signature. `vouched`: the server will sign, once it knows where the conversation stands.
 */
export type CheckedPost = Words & { readonly groupId: string; readonly bytes: number } & (
    | { readonly kind: 'signed'; readonly sealed: Sealed }
    | { readonly kind: 'vouched'; draft(state: ConversationState): EnvelopeDraft }
  )

/** Everything that can be asked of a message without the room: shape, sender, signature, content. A signature takes its time. */
export function checkPost(ctx: Context, input: PostMessage): CheckedPost | Promise<CheckedPost> {
  const { actor } = ctx
  const groupId = input.group_id
  if (actor.kind !== 'person' && actor.kind !== 'agent') throw notMember(groupId, actor.kind)
  const { did: sender, kind: by } = actor
  if (input.envelope) return checkSigned(ctx, { groupId, sender, by }, input.envelope)
  const say = {
    act: readSpeechAct(input.act),
    parts: input.parts,
    ...(input.to === undefined ? {} : { to: input.to }),
    ...(input.reply_to === undefined ? {} : { replyTo: input.reply_to }),
  }
  screen(ctx, input)
  const id = ctx.ids.uuid()
  const draft = (state: ConversationState) => draftOf({ id, groupId, sender, say, state })
  const { parts, to: next = [] } = input
  const bytes = parts.reduce((sum, part) => sum + (part.text?.length ?? 256), 0)
  return { kind: 'vouched', groupId, sender, by, parts, next, draft, bytes }
}

async function checkSigned(
  ctx: Context,
  who: { readonly groupId: string; readonly sender: string; readonly by: Words['by'] },
  given: { [key: string]: unknown },
): Promise<CheckedPost> {
  const { groupId, sender } = who
  const envelope = readGiven(given, { groupId, sender, act: null, taskId: undefined })
  const spelled = spell(envelope)
  if (!(await isSigned(envelope, spelled))) throw envelopeSignatureInvalid(sender)
  screen(ctx, envelope)
  const { sig } = withSignature(envelope)
  const { parts, next_speakers, expects, to = [] } = envelope
  const next = next_speakers ?? (expects === 'reply' ? to : [])
  const bytes = spelled.apart.reduce((sum, text) => sum + text.length, 0)
  return { kind: 'signed', ...who, parts, next, sealed: seal(spelled, sig), bytes }
}
