/**
 * Recomputes a room's hash chain from its messages, in the browser, and compares it with what the payment on chain
 * carries. Nothing the server says about its own transcript is taken on trust here, except which wallet key speaks for it.
 */
import { type DeliveredEnvelope, hashAfter, readErased, transcriptStart, verifyEnvelope } from '@parley/protocol'

export type BrokenMessage = { readonly seq: number; readonly reason: 'gap' | 'signature' | 'unreadable' | 'unlinked' }
export type Verification = {
  readonly count: number
  /** How many were erased: at their places the chain rests on the server's signed word. */
  readonly erased: number
  /** Hash after the last message. */
  readonly head: string
  readonly broken: readonly BrokenMessage[]
  /** The message after which the chain stands at the hash that the payment carries; null where none does. */
  readonly matchedSeq: number | null
  readonly expected: string | null
  readonly outcome: 'proven' | 'intact' | 'broken' | 'differs'
}

/** The same hash whether it is written with 0x or without. */
export function bareHash(hash: string): string {
  return hash.replace(/^0x/i, '').toLowerCase()
}

/**
 * `proven`: every signature holds and the chain runs into the hash on chain. `intact`: signatures hold, nothing is on
 * chain to compare with. `differs`: signatures hold, but no message gives the hash on chain. `broken`: see `broken`.
 * `onProgress` is told how many messages are done, so that a long transcript can show it.
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

/** What a verification says, in one sentence. */
export function verificationSentence(result: Verification): string {
  const first = result.broken[0]
  switch (result.outcome) {
    case 'proven':
      return `Proven: ${result.count} messages are signed and unbroken, and the chain of hashes after message ${result.matchedSeq} is the one that the payment carries.${aboutErased(result)}`
    case 'intact':
      return `Unbroken: ${result.count} messages are signed and in order. No payment has been made yet to compare with.${aboutErased(result)}`
    case 'differs':
      return `Not the transcript that was paid for: ${result.count} messages are signed and in order, but none leads to the hash that the payment carries.`
    case 'broken':
      return first?.reason === 'gap'
        ? `Broken at message ${first.seq}: a message before it is missing.`
        : first?.reason === 'signature'
          ? `Broken at message ${first.seq}: its signature is not its sender's, so the text or the sender was changed.`
          : first?.reason === 'unlinked'
            ? `Broken at message ${first.seq}: it was erased, and what stands in its place does not follow on the message before it.`
            : `Broken at message ${first?.seq}: it can't be read.`
    default:
      return result.outcome satisfies never
  }
}

function aboutErased({ erased }: Verification): string {
  if (erased === 0) return ''
  return erased === 1
    ? ' One of them was erased: its words can’t be checked, and its place rests on the server’s signed word.'
    : ` ${erased} of them were erased: their words can’t be checked, and their places rest on the server’s signed word.`
}
