import type { Envelope, PostMessage } from '@parley/protocol'
import { limits, readSpeechAct } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { type Sealed, seal, spell } from '../../delivery/index.ts'
import { envelopeSignatureInvalid, envelopeTooLarge, notMember } from '../errors.ts'
import type { Words } from '../rooms/message-budget-store.ts'
import { spellParts, type Unspelled } from './envelope/canonicalize-post.ts'
import { isSigned, readGiven, requireNotAhead, screen, withSignature } from './envelope/check-envelope.ts'

/**
 * Talk that may be said as far as its own words go; whether its sender is in the room, the room's own turn will tell.
 * `signed`: with the sender's signature. `vouched`: the server will sign, once it knows where the conversation stands.
 * `isRetold`: another process has had it in hand, and may have written it.
 */
export type CheckedPost = Words & { readonly groupId: string; readonly bytes: number; readonly isRetold?: boolean } & (
    | { readonly kind: 'signed'; readonly sealed: Sealed }
    | { readonly kind: 'vouched'; readonly unspelled: Unspelled }
  )

/** The id under which the room's log may hold it already; null where nobody else can have said it. */
export function givenId(post: CheckedPost): string | null {
  if (post.kind === 'signed') return post.sealed.spelled.envelope.id
  return post.isRetold ? post.unspelled.id : null
}

export const idOf = (post: CheckedPost): string => (post.kind === 'signed' ? post.sealed.spelled.envelope.id : post.unspelled.id)

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
  const { parts, to: next = [] } = input
  const spelledParts = spellParts(parts)
  const unspelled = { id, groupId, sender, say, parts: spelledParts }
  const bytes = spelledParts.reduce((sum, { length }) => sum + length, 0)
  requireEnvelopeSize(spelledParts, bytes)
  return { kind: 'vouched', groupId, sender, by, parts, next, unspelled, bytes }
}

/** As large as an envelope that its sender signs, what stands beside its parts included. `length`: of the pieces together, in UTF-16. */
function requireEnvelopeSize(pieces: readonly string[], length: number): void {
  const most = limits.envelopeBytes - besidePartsBytes
  // No character takes more than three bytes for each of its units.
  if (3 * length <= most) return
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  if (bytes > most) throw envelopeTooLarge(bytes + besidePartsBytes)
}
/** Names of those whom it is for, 64 at most, and what the server adds. */
const besidePartsBytes = 8_192

async function checkSigned(
  ctx: Context,
  who: { readonly groupId: string; readonly sender: string; readonly by: Words['by'] },
  given: { [key: string]: unknown },
): Promise<CheckedPost> {
  const { groupId, sender } = who
  const envelope = readGiven(given, { groupId, sender, act: null, taskId: undefined })
  requireNotAhead(ctx, envelope)
  const spelled = spell(envelope)
  if (!(await isSigned(envelope, spelled))) throw envelopeSignatureInvalid(sender)
  screen(ctx, envelope)
  const { sig } = withSignature(envelope)
  return { kind: 'signed', ...who, ...wordsOf(envelope), sealed: seal(spelled, sig), bytes: spelled.signed.length }
}

/** What a signed envelope says, and whom it asks to speak next. */
export function wordsOf({ parts, next_speakers, expects, to = [] }: Envelope): Pick<Words, 'parts' | 'next'> {
  return { parts, next: next_speakers ?? (expects === 'reply' ? to : []) }
}
