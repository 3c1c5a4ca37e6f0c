import { type Envelope, type Json, readSpeechAct } from '@parley/protocol'
import type { Spelled } from '../../delivery/index.ts'
import { type CheckedPost, wordsOf } from './validate-post.ts'

type Who = Pick<CheckedPost, 'groupId' | 'sender' | 'by'>

/**
 * A checked post on its way to another process of this server: a few words for JSON, and the text that they are about, in UTF-8
 * (what was signed, or the parts in their canonical form). It isn't checked again.
 */
export type CarriedPost = { readonly head: CarriedHead; readonly text: Buffer }
export type CarriedHead = Who &
  (
    | { readonly kind: 'signed'; readonly places: Spelled['places']; readonly bodyHash: string; readonly sig: string }
    | {
        readonly kind: 'vouched'
        readonly id: string
        readonly act: string
        readonly to?: readonly string[]
        readonly replyTo?: string
      }
  )

export function carryPost(post: CheckedPost): CarriedPost {
  const { groupId, sender, by } = post
  if (post.kind === 'signed') {
    const { spelled, sig } = post.sealed
    return { head: { kind: 'signed', groupId, sender, by, places: spelled.places, bodyHash: spelled.bodyHash, sig }, text: spelled.signed }
  }
  const { id, say, parts } = post.unspelled
  const { act, to, replyTo } = say
  const head = { kind: 'vouched', groupId, sender, by, id, act, ...(to && { to }), ...(replyTo !== undefined && { replyTo }) } as const
  return { head, text: Buffer.from(parts.join('')) }
}

/** The post as whoever carried it had it. That one may say it itself, where it hears nothing of it. */
export function unpackPost({ head, text }: CarriedPost): CheckedPost {
  const { groupId, sender, by } = head
  const who = { groupId, sender, by, bytes: text.length, isRetold: true } as const
  if (head.kind === 'signed') {
    const { places, bodyHash, sig } = head
    const envelope = { ...(JSON.parse(text.toString()) as Envelope), sig: JSON.parse(sig) as Envelope['sig'] } as Envelope
    return { ...who, ...wordsOf(envelope), kind: 'signed', sealed: { spelled: { envelope, signed: text, places, bodyHash }, sig } }
  }
  const { id, to, replyTo } = head
  const spelled = text.toString()
  const parts = JSON.parse(spelled) as Json as Envelope['parts']
  const say = { act: readSpeechAct(head.act), parts, ...(to && { to }), ...(replyTo !== undefined && { replyTo }) }
  return { ...who, kind: 'vouched', parts, next: to ?? [], unspelled: { id, groupId, sender, say, parts: [spelled] } }
}
