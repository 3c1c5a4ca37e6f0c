import { hash } from 'node:crypto'
import { canonicalize, type Envelope, type Json, type Signature } from '@parley/protocol'

/** An envelope with its signature and without the server's fields. */
export type SignedEnvelope = Envelope & { sig: Signature }

/** An envelope with its canonical bytes, encoded once. The signed, the hashed and the stored text all contain these bytes. */
export type CanonicalEnvelope = {
  readonly envelope: Envelope
  /** The signed bytes in UTF-8: all fields except the server's and the signature. */
  readonly signed: Buffer
  /** The offsets at which `received_at`, `seq` and `sig` are inserted, each before another pair. */
  readonly places: Places
  /** SHA-256 of the signed bytes. */
  readonly bodyHash: string
}
type Places = readonly [receivedAt: number, seq: number, sig: number]

/** A canonical envelope with its signature in canonical form. */
export type SignedCanonicalEnvelope = { readonly canonical: CanonicalEnvelope; readonly sig: string }

/** The last sequence number of a log, and its hash chain value. */
export type LogHead = { readonly head: number; readonly hash: string }

/** `body`: the text as stored and delivered, in UTF-8. */
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
 * Joins segments of canonical `"key":value` pairs: before `received_at`, before `seq`, before `sig`, and after. The last always has `v`.
 * The first segment has several pieces, so that a long text is not copied twice.
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

/** A reusable buffer for bytes that are consumed in the same turn. */
const scratch = Buffer.allocUnsafe(65_536)

export function attachSignature(canonical: CanonicalEnvelope, sig: Signature): SignedCanonicalEnvelope {
  return { canonical, sig: canonicalize(sig as Json) }
}

const chainHead = '{"envelope":{'

/** The next message after `previous`: its sequence number, its text as stored and delivered, and its hash chain value. */
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

/** All messages of a batch share one timestamp, so its text is cached. */
function timeText(receivedAt: Date): string {
  if (receivedAt !== lastTime) [lastTime, lastTimeText] = [receivedAt, `"received_at":"${receivedAt.toISOString()}",`]
  return lastTimeText
}

/** SHA-256 over the canonical form of { previous, envelope }. `before` and `after`: the envelope around `received_at`. */
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
