import type { ConversationState, Envelope, PostMessage } from '@parley/protocol'
import { type EnvelopeDraft, readSpeechAct, vouchEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import { type SignedEnvelope, type Spelled, spell } from '../delivery/index.ts'
import { notMember } from './errors.ts'
import { checkGiven, draftOf, screen, withSignature } from './speak.ts'

/**
 * Talk that may be said as far as its own words go; whether its sender is in the room, the room's own turn will tell.
 * `signed`: with the sender's signature. `vouched`: the server will sign, once it knows where the conversation stands.
 */
export type CheckedPost = { readonly groupId: string; readonly sender: string; readonly bytes: number } & (
  | { readonly kind: 'signed'; readonly spelled: Spelled }
  | { readonly kind: 'vouched'; draft(state: ConversationState): EnvelopeDraft }
)

/** Everything that can be asked of a message without the room: shape, sender, signature, content. */
export async function checkPost(ctx: Context, input: PostMessage): Promise<CheckedPost> {
  const { actor } = ctx
  const groupId = input.group_id
  if (actor.kind !== 'person' && actor.kind !== 'agent') throw notMember(groupId, actor.kind)
  const sender = actor.did
  if (input.envelope) {
    const envelope = withSignature(await checkGiven(ctx, input.envelope, { groupId, sender, act: null, taskId: undefined }))
    screen(ctx, envelope)
    const spelled = spell(envelope)
    return { kind: 'signed', groupId, sender, spelled, bytes: spelled.apart.reduce((sum, text) => sum + text.length, 0) }
  }
  const say = {
    act: readSpeechAct(input.act),
    parts: input.parts,
    ...(input.to === undefined ? {} : { to: input.to }),
    ...(input.reply_to === undefined ? {} : { replyTo: input.reply_to }),
  }
  screen(ctx, input)
  const id = ctx.ids.uuid()
  const draft = (state: ConversationState) => ({ ...draftOf(ctx, { groupId, sender, say, state }), id }) as EnvelopeDraft
  return { kind: 'vouched', groupId, sender, draft, bytes: input.parts.reduce((sum, part) => sum + (part.text?.length ?? 256), 0) }
}

/** The server's signature under what it says for a sender without one. */
export async function vouch(ctx: Context, draft: EnvelopeDraft): Promise<SignedEnvelope> {
  const envelope: Envelope = await vouchEnvelope(ctx.ports.signer, draft)
  return withSignature(envelope)
}
