import { hash } from 'node:crypto'
import { canonicalize, type Envelope, type Json, type Signature } from '@parley/protocol'

/** An envelope with its signature and without the server's fields. */
export type SignedEnvelope = Envelope & { sig: Signature }

/**
 * An envelope whose canonical form is written out once. Three texts have these bytes in them: what was signed, what is chained
 * and what is stored.
 */
export type CanonicalEnvelope = {
  readonly envelope: Envelope
  /** What is signed: all but the server's fields and the signature. UTF-8. */
  readonly signed: Buffer
  /** Where in it `received_at`, `seq` and `sig` have their places, each before another pair. */
  readonly places: Places
  /** SHA-256 of what is signed. */
  readonly bodyHash: string
}
type Places = readonly [receivedAt: number, seq: number, sig: number]

/** Spelled, and the signature under it in its canonical form. */
export type SignedCanonicalEnvelope = { readonly canonical: CanonicalEnvelope; readonly sig: string }

/** The last message of a log. */
export type LogHead = { readonly head: number; readonly hash: string }

/** `body`: its text as it is stored and delivered, in UTF-8. */
export type SequencedMessage = LogHead & { readonly canonical: CanonicalEnvelope; readonly body: Buffer; readonly receivedAt: Date }

export function canonicalizeEnvelope(envelope: Envelope): CanonicalEnvelope {
  const segments: [string, string, string, string] = ['', '', '', '']
  for (const key of Object.keys(envelope).sort()) {
    const value = envelope[key] as Json | undefined
    if (value === undefined || key === 'received_at' || key === 'seq' || key === 'sig') continue
    const place = key < 'received_at' ? 0 : key < 'seq' ? 1 : key < 'sig' ? 2 : 3
    const before = segments[place]
    segments[place] = `${before}${before === '' ? '' : ','}${JSON.stringify(key)}:${canonicalize(value)}`
  }
  const [before, between, behind, after] = segments
  return assembleCanonical(envelope, [[before], between, behind, after])
}

/**
 * `apart`: the canonical `"key":value` pairs before `received_at`, between that and `seq`, between that and `sig`, and after,
 * where there is always `v`. What stands before comes in pieces, so that a long text need not be copied to stand in its place.
 */
export function assembleCanonical(
  envelope: Envelope,
  segments: readonly [before: readonly string[], string, string, string],
): CanonicalEnvelope {
  const [before, between, behind, after] = segments
  const maxBytes = 3 * (before.reduce((sum, { length }) => sum + length, 0) + between.length + behind.length + after.length) + 5
  const bytes = maxBytes > scratch.length ? Buffer.allocUnsafe(maxBytes) : scratch
  bytes[0] = openingBrace
  let first = 1
  for (const piece of before) first += bytes.write(piece, first)
  if (first > 1) bytes[first++] = comma
  const second = between ? first + bytes.write(`${between},`, first) : first
  const third = behind ? second + bytes.write(`${behind},`, second) : second
  const end = third + bytes.write(`${after}}`, third)
  const signed = Buffer.allocUnsafe(end)
  bytes.copy(signed, 0, 0, end)
  return { envelope, signed, places: [first, second, third], bodyHash: hash('sha256', signed) }
}

const openingBrace = 0x7b
const comma = 0x2c

/** What is only passed through on one turn is written here. */
const scratch = Buffer.allocUnsafe(65_536)

export function attachSignature(canonical: CanonicalEnvelope, sig: Signature): SignedCanonicalEnvelope {
  return { canonical, sig: canonicalize(sig as Json) }
}

const chainHead = '{"envelope":{'

/** The message that follows on `tail`: its place, its text as it is stored and delivered, and the chain's hash up to it. */
export function sequenceMessage(previous: LogHead, { canonical, sig }: SignedCanonicalEnvelope, receivedAt: Date): SequencedMessage {
  const { signed, places } = canonical
  const head = previous.head + 1
  const [time, seq, signature] = [timeText(receivedAt), `"seq":${head},`, `"sig":${sig},`]
  const body = Buffer.allocUnsafe(signed.length + time.length + seq.length + Buffer.byteLength(signature))
  let at = signed.copy(body, 0, 0, places[0])
  at += body.write(time, at, 'latin1')
  const rest = at
  at += signed.copy(body, at, places[0], places[1])
  at += body.write(seq, at, 'latin1')
  at += signed.copy(body, at, places[1], places[2])
  at += body.write(signature, at)
  signed.copy(body, at, places[2])
  return { canonical, head, hash: chainedHash(previous.hash, signed.subarray(1, places[0]), body.subarray(rest)), body, receivedAt }
}

let [lastTime, lastTimeText]: [Date | null, string] = [null, '']

/** What is numbered together has come at one time. */
function timeText(receivedAt: Date): string {
  if (receivedAt !== lastTime) [lastTime, lastTimeText] = [receivedAt, `"received_at":"${receivedAt.toISOString()}",`]
  return lastTimeText
}

/** SHA-256 over the canonical form of { previous, envelope }; of the envelope, what stands before and after the server's clock. */
function chainedHash(previous: string, before: Buffer, after: Buffer): string {
  const tail = `,"previous":"${previous}"}`
  const length = chainHead.length + before.length + after.length + tail.length
  const bytes = length > scratch.length ? Buffer.allocUnsafe(length) : scratch
  let at = bytes.write(chainHead, 0, 'latin1')
  at += before.copy(bytes, at)
  at += after.copy(bytes, at)
  at += bytes.write(tail, at, 'latin1')
  return hash('sha256', bytes.subarray(0, at))
}
