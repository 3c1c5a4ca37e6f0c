/** Whether a stored message is still what was said: its text against the hashes that were stored with it. Pure. */
import { hash } from 'node:crypto'
import { canonicalize, type Envelope, erasedKind, type Json } from '@parley/protocol'
import { canonicalizeEnvelope } from './encode-message.ts'
import type { StoredMessage } from './read-log.ts'

/** The fields that the hash of what is signed leaves out, as they stand in a stored text, each before another pair. */
type ServerFields = { readonly receivedAt: string; readonly seq: string; readonly sig: string }
type Cut = { readonly signed: string; readonly chained: string }

/**
 * Why the text does not belong to its hashes, or null where it does. `previous`: the chain hash of the message before it, where
 * that is known. What was erased stands in the chain by the hash of what it was.
 */
export function hashMismatch({ body, bodyHash, hash: chain }: StoredMessage, envelope: Envelope, previous: string | null): string | null {
  if (bodyHash === undefined) return null
  const quick = quickCut(body, envelope)
  // A text inside the message may look like one of those fields: then it is written out anew to tell.
  const cut = quick && sha256(quick.signed) === bodyHash ? quick : exactCut(body, envelope)
  if (!cut || sha256(cut.signed) !== bodyHash) return 'Its text is not the one that was stored: it does not have the hash of what was said.'
  if (previous === null || isErased(envelope)) return null
  const linked = sha256(`{"envelope":${cut.chained},"previous":"${previous}"}`)
  return linked === chain ? null : 'It does not follow on the message before it: the chain of hashes is broken here.'
}

const sha256 = (text: string): string => hash('sha256', text)

function fieldsOf({ received_at, seq, sig }: Envelope): ServerFields {
  return { receivedAt: `"received_at":${JSON.stringify(received_at)},`, seq: `"seq":${seq},`, sig: `"sig":${canonicalize(sig as Json)},` }
}

/** By looking for the fields in the text, from its end, where they stand behind most of what was said. */
function quickCut(body: string, envelope: Envelope): Cut | null {
  const { receivedAt, seq, sig } = fieldsOf(envelope)
  const at = { sig: body.lastIndexOf(sig), seq: body.lastIndexOf(seq), receivedAt: body.lastIndexOf(receivedAt) }
  if (at.receivedAt < 0 || at.seq < at.receivedAt || at.sig < at.seq) return null
  const before = body.slice(0, at.receivedAt)
  const behindTime = at.receivedAt + receivedAt.length
  const signed = `${before}${body.slice(behindTime, at.seq)}${body.slice(at.seq + seq.length, at.sig)}${body.slice(at.sig + sig.length)}`
  return { signed, chained: before + body.slice(behindTime) }
}

/** By writing the envelope out as it is signed. Null where the stored text is none of these. */
function exactCut(body: string, envelope: Envelope): Cut | null {
  if (canonicalize(envelope as Json) !== body) return null
  const { received_at: _, ...chained } = envelope
  return { signed: canonicalizeEnvelope(envelope).signed.toString(), chained: canonicalize(chained as Json) }
}

/** What the server has put in the place of a message for good. */
function isErased({ parts }: Envelope): boolean {
  return parts.some(({ data }) => data?.kind === erasedKind)
}
