import { hash } from 'node:crypto'
import { canonicalize, type Envelope, type Json, type Signature } from '@parley/protocol'

/** An envelope with its signature and without the server's fields. */
export type SignedEnvelope = Envelope & { sig: Signature }

/**
 * An envelope whose canonical form is written out once, apart where the server's fields and the signature go in: three texts
 * are made of it, what was signed, what is chained and what is stored.
 */
export type Spelled = {
  readonly envelope: Envelope
  /** Its `"key":value` pairs before `received_at`, between that and `seq`, between that and `sig`, and after. */
  readonly apart: readonly [string, string, string, string]
  /** SHA-256 of what is signed. */
  readonly bodyHash: string
}

/** Spelled, and the signature under it in its canonical form. */
export type Sealed = { readonly spelled: Spelled; readonly sig: string }

/** The last message of a log. */
export type Tail = { readonly head: number; readonly hash: string }

export type Numbered = Tail & { readonly spelled: Spelled; readonly body: string; readonly receivedAt: Date }

export function spell(envelope: Envelope): Spelled {
  const apart: [string, string, string, string] = ['', '', '', '']
  for (const key of Object.keys(envelope).sort()) {
    const value = envelope[key] as Json | undefined
    if (value === undefined || key === 'received_at' || key === 'seq' || key === 'sig') continue
    const place = key < 'received_at' ? 0 : key < 'seq' ? 1 : key < 'sig' ? 2 : 3
    const before = apart[place]
    apart[place] = `${before}${before === '' ? '' : ','}${JSON.stringify(key)}:${canonicalize(value)}`
  }
  return { envelope, apart, bodyHash: hash('sha256', signedText({ apart })) }
}

/** What is signed, in its canonical form. */
export function signedText({ apart }: Pick<Spelled, 'apart'>): string {
  return `{${apart.filter((pairs) => pairs !== '').join(',')}}`
}

export function seal(spelled: Spelled, sig: Signature): Sealed {
  return { spelled, sig: canonicalize(sig as Json) }
}

/** The message that follows on `tail`: its place, its text as it is stored and delivered, and the chain's hash up to it. */
export function numberMessage(tail: Tail, { spelled, sig }: Sealed, receivedAt: Date): Numbered {
  const head = tail.head + 1
  const [before, between, behind, after] = spelled.apart
  const begun = before === '' ? '' : `${before},`
  const rest = `${between}${between === '' ? '' : ','}"seq":${head},${behind}${behind === '' ? '' : ','}"sig":${sig}${after === '' ? '' : ','}${after}}`
  // The canonical form of { previous, envelope }.
  const chained = hash('sha256', `{"envelope":{${begun}${rest},"previous":${JSON.stringify(tail.hash)}}`)
  return { spelled, head, hash: chained, body: `{${begun}"received_at":"${receivedAt.toISOString()}",${rest}`, receivedAt }
}
