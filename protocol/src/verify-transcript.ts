/**
 * Recomputes a room's hash chain from its messages, and compares it with what the payment on chain contains. It trusts no statement
 * of the server about its own transcript, except which key signs for it.
 */
import { type DeliveredEnvelope, transcriptStart, verifyEnvelope } from './envelope.ts'
import { hashAfter, readErased } from './erasure.ts'

/** A message that fails the verification, by its number in the room. */
export type BrokenMessage = { readonly seq: number; readonly reason: 'gap' | 'signature' | 'unreadable' | 'unlinked' }
/** The result of the verification of a transcript. */
export type Verification = {
  readonly count: number
  /** The number of erased messages. At their positions the server's signature replaces the check. */
  readonly erased: number
  /** Hash after the last message. */
  readonly head: string
  readonly broken: readonly BrokenMessage[]
  /** The message after which the chain hash equals that of the payment; null if none. */
  readonly matchedSeq: number | null
  readonly expected: string | null
  readonly outcome: 'proven' | 'intact' | 'broken' | 'differs'
}

/** The hash without an optional 0x prefix. */
function bareHash(hash: string): string {
  return hash.replace(/^0x/i, '').toLowerCase()
}

/**
 * `proven`: every signature is valid, and the chain hash is on chain. `intact`: signatures are valid, and nothing is on
 * chain to compare with. `differs`: signatures are valid, but no message has the hash on chain. `broken`: see `broken`.
 * `onProgress` receives the number of verified messages, so that a long transcript can show it.
 */
export async function verifyTranscript(
  messages: readonly DeliveredEnvelope[],
  facts: { readonly serverDid: string; readonly expected: string | null },
  onProgress: (done: number) => void = () => {},
): Promise<Verification> {
  const expected = facts.expected === null ? null : bareHash(facts.expected)
  const broken: BrokenMessage[] = []
  let head: string = transcriptStart
  let matchedSeq: number | null = null
  let awaited = 1
  let erased = 0
  for (const message of messages) {
    if (message.seq !== awaited) broken.push({ seq: message.seq, reason: 'gap' })
    awaited = message.seq + 1
    try {
      if (!(await verifyEnvelope(message, facts.serverDid))) broken.push({ seq: message.seq, reason: 'signature' })
      const after = await hashAfter(head, message, facts.serverDid)
      if (after === null) broken.push({ seq: message.seq, reason: 'unlinked' })
      else head = after
      if (readErased(message, facts.serverDid)) erased++
    } catch {
      broken.push({ seq: message.seq, reason: 'unreadable' })
    }
    if (expected !== null && matchedSeq === null && head === expected) matchedSeq = message.seq
    if (message.seq % 50 === 0) onProgress(message.seq)
  }
  const outcome = broken.length > 0 ? 'broken' : expected === null ? 'intact' : matchedSeq === null ? 'differs' : 'proven'
  return { count: messages.length, erased, head, broken, matchedSeq, expected, outcome }
}
