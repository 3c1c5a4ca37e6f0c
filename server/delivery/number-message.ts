import { hash } from 'node:crypto'
import { canonicalize, type Envelope, type Json } from '@parley/protocol'

/** An envelope with its signature and without the server's fields. */
export type SignedEnvelope = Envelope & { sig: NonNullable<Envelope['sig']> }

/**
 * A signed envelope whose canonical form is written out once, apart where the server's fields go in: three texts are made
 * of it, what was signed, what is chained and what is stored.
 */
export type Spelled = {
  readonly envelope: SignedEnvelope
  /** Its `"key":value` pairs before `received_at`, between that and `seq`, and after. An envelope has some of each. */
  readonly apart: readonly [string, string, string]
  /** SHA-256 of what the sender signed. */
  readonly bodyHash: string
}

/** The last message of a log. */
export type Tail = { readonly head: number; readonly hash: string }

export type Numbered = Tail & { readonly spelled: Spelled; readonly body: string; readonly receivedAt: Date }

export function spell(envelope: SignedEnvelope): Spelled {
  const { seq: _seq, received_at: _receivedAt, ...own } = envelope
  const signed: string[] = []
  const apart: [string[], string[], string[]] = [[], [], []]
  for (const key of Object.keys(own).sort()) {
    const value = own[key] as Json | undefined
    if (value === undefined) continue
    const pair = `${JSON.stringify(key)}:${canonicalize(value)}`
    if (key !== 'sig') signed.push(pair)
    apart[key < 'received_at' ? 0 : key < 'seq' ? 1 : 2].push(pair)
  }
  const [before, between, after] = apart
  return {
    envelope,
    apart: [before.join(','), between.join(','), after.join(',')],
    bodyHash: hash('sha256', `{${signed.join(',')}}`),
  }
}

/** The message that follows on `tail`: its place, its text as it is stored and delivered, and the chain's hash up to it. */
export function numberMessage(tail: Tail, spelled: Spelled, receivedAt: Date): Numbered {
  const head = tail.head + 1
  const [before, between, after] = spelled.apart
  const rest = `${between},"seq":${head},${after}}`
  // The canonical form of { previous, envelope }.
  const chained = hash('sha256', `{"envelope":{${before},${rest},"previous":${JSON.stringify(tail.hash)}}`)
  return { spelled, head, hash: chained, body: `{${before},"received_at":"${receivedAt.toISOString()}",${rest}`, receivedAt }
}
