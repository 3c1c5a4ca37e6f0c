/** The transcript, taken apart by somebody who trusts nobody: each signature, the order, the chain of hashes, the charter. */
import { Charter, chainHash, charterHash, type DeliveredEnvelope, transcriptStart, verifyEnvelope } from '@parley/protocol'

export type Transcript = {
  /** Hash after each message, the first at 0. */
  readonly hashes: readonly string[]
  /** Proposed charters by their hash, as recomputed from what stands in the room. */
  readonly charters: ReadonlyMap<string, Charter>
  /** Who has signed which charter. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>
  readonly faults: readonly string[]
}

export async function checkTranscript(messages: readonly DeliveredEnvelope[], serverDid: string): Promise<Transcript> {
  const faults: string[] = []
  const hashes: string[] = []
  const charters = new Map<string, Charter>()
  const accepted = new Map<string, Set<string>>()
  let hash: string = transcriptStart
  for (const [index, message] of messages.entries()) {
    if (message.seq !== index + 1) faults.push(`message ${index + 1} is missing: ${message.seq} stands in its place`)
    if (!(await verifyEnvelope(message, serverDid))) faults.push(`message ${message.seq} is not signed by ${message.sender_id}`)
    hash = await chainHash(hash, message)
    hashes.push(hash)
    for (const { data } of message.parts) {
      if (data?.kind === 'charter') {
        const charter = Charter.safeParse(data.charter)
        if (charter.success) charters.set(await charterHash(charter.data), charter.data)
        else faults.push(`message ${message.seq} proposes what is no charter`)
      }
      if (data?.kind === 'charter.accept' && message.type === 'accept') {
        const signers = accepted.get(String(data.charter_hash)) ?? new Set()
        accepted.set(String(data.charter_hash), signers.add(message.sender_id))
      }
    }
  }
  if (messages.length === 0) faults.push('there is no transcript')
  return { hashes, charters, accepted, faults }
}
