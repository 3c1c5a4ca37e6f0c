import { type Envelope, type Json, readSpeechAct } from '@parley/protocol'
import type { CanonicalEnvelope } from '../../delivery/index.ts'
import { contentOf, type ValidatedPost } from './validate-post.ts'

type Who = Pick<ValidatedPost, 'roomId' | 'sender' | 'by'>

/**
 * A validated post for another process of this server: a JSON head, and the payload in UTF-8 (the signed bytes, or the canonical parts).
 * The receiver trusts it and does not validate it again.
 */
export type SerializedPost = { readonly head: SerializedPostHead; readonly text: Buffer }
export type SerializedPostHead = Who &
  (
    | { readonly kind: 'signed'; readonly places: CanonicalEnvelope['places']; readonly bodyHash: string; readonly sig: string }
    | {
        readonly kind: 'vouched'
        readonly id: string
        readonly act: string
        readonly delegation?: string
        readonly to?: readonly string[]
        readonly replyTo?: string
      }
  )

export function serializePost(post: ValidatedPost): SerializedPost {
  const { roomId, sender, by } = post
  if (post.kind === 'signed') {
    const { canonical, sig } = post.signedEnvelope
    return {
      head: { kind: 'signed', roomId, sender, by, places: canonical.places, bodyHash: canonical.bodyHash, sig },
      text: canonical.signed,
    }
  }
  const { id, content, parts } = post.template
  const { act, to, replyTo } = content
  const { delegation } = post
  const more = { ...(to && { to }), ...(replyTo !== undefined && { replyTo }), ...(delegation !== null && { delegation }) }
  const head = { kind: 'vouched', roomId, sender, by, id, act, ...more } as const
  return { head, text: Buffer.from(parts.join('')) }
}

/** Restores the post. `isRedelivered`, because the sending process may write it as well if it gets no answer. */
export function deserializePost({ head, text }: SerializedPost): ValidatedPost {
  const { roomId, sender, by } = head
  const who = { roomId, sender, by, bytes: text.length, isRedelivered: true } as const
  if (head.kind === 'signed') {
    const { places, bodyHash, sig } = head
    const envelope = { ...(JSON.parse(text.toString()) as Envelope), sig: JSON.parse(sig) as Envelope['sig'] } as Envelope
    return {
      ...who,
      ...contentOf(envelope),
      kind: 'signed',
      signedEnvelope: { canonical: { envelope, signed: text, places, bodyHash }, sig },
    }
  }
  const { id, to, replyTo, delegation = null } = head
  const spelled = text.toString()
  const parts = JSON.parse(spelled) as Json as Envelope['parts']
  const content = { act: readSpeechAct(head.act), parts, ...(to && { to }), ...(replyTo !== undefined && { replyTo }) }
  return { ...who, kind: 'vouched', delegation, parts, next: to ?? [], template: { id, roomId, sender, content, parts: [spelled] } }
}
