/** Verifies a stored message: its text against its stored hash, and its link in the hash chain. Pure. */
import { hash } from 'node:crypto'
import { canonicalize, type Envelope, type Json, tombstoneKind } from '@parley/protocol'
import type { StoredMessage } from './read-stored-messages.ts'
import { canonicalizeEnvelope } from './sequence-message.ts'

/** The fields that the signed bytes leave out, as they appear in the stored text, each before another pair. */
type ServerFields = { readonly receivedAt: string; readonly seq: string; readonly sig: string }
type Cut = { readonly signed: string; readonly chained: string }

/**
 * Why the text does not match its hashes, or null. `previous`: the hash chain value of the message before it, if known.
 * An erased message stays in the chain with its original hash.
 */
export function findHashMismatch(
  { body, bodyHash, hash: chain }: StoredMessage,
  envelope: Envelope,
  previous: string | null,
): string | null {
  if (bodyHash === undefined) return null
  const quick = quickCut(body, envelope)
  // Text inside the message may look like one of these fields. Only then is the envelope canonicalized again.
  const cut = quick && sha256(quick.signed) === bodyHash ? quick : exactCut(body, envelope)
  if (!cut || sha256(cut.signed) !== bodyHash) return 'Its text does not match the stored hash of the message.'
  if (previous === null || isErased(envelope)) return null
  const linked = sha256(`{"envelope":${cut.chained},"previous":"${previous}"}`)
  return linked === chain ? null : 'It does not follow on the message before it: the chain of hashes is broken here.'
}

const sha256 = (text: string): string => hash('sha256', text)

function fieldsOf({ received_at, seq, sig }: Envelope): ServerFields {
  return { receivedAt: `"received_at":${JSON.stringify(received_at)},`, seq: `"seq":${seq},`, sig: `"sig":${canonicalize(sig as Json)},` }
}

/** Searches the fields from the end of the text, where they follow most of the content. */
function quickCut(body: string, envelope: Envelope): Cut | null {
  const { receivedAt, seq, sig } = fieldsOf(envelope)
  const at = { sig: body.lastIndexOf(sig), seq: body.lastIndexOf(seq), receivedAt: body.lastIndexOf(receivedAt) }
  if (at.receivedAt < 0 || at.seq < at.receivedAt || at.sig < at.seq) return null
  const before = body.slice(0, at.receivedAt)
  const behindTime = at.receivedAt + receivedAt.length
  const signed = `${before}${body.slice(behindTime, at.seq)}${body.slice(at.seq + seq.length, at.sig)}${body.slice(at.sig + sig.length)}`
  return { signed, chained: before + body.slice(behindTime) }
}

/** Canonicalizes the envelope again; null if the stored text is not canonical. */
function exactCut(body: string, envelope: Envelope): Cut | null {
  if (canonicalize(envelope as Json) !== body) return null
  const { received_at: _, ...chained } = envelope
  return { signed: canonicalizeEnvelope(envelope).signed.toString(), chained: canonicalize(chained as Json) }
}

/** Whether the server replaced the message permanently. */
function isErased({ parts }: Envelope): boolean {
  return parts.some(({ data }) => data?.kind === tombstoneKind)
}
