/** The transcript, verified by a reader who trusts no one: each signature, the order, the chain of hashes, the charter. */
import { Charter, charterHash, type DeliveredEnvelope, hashAfter, transcriptStart, verifyEnvelope } from '@parley/protocol'

export type Transcript = {
  /** Hash after each message, the first at 0. */
  readonly hashes: readonly string[]
  /** Proposed charters by their hash, as recomputed from what stands in the room. */
  readonly charters: ReadonlyMap<string, Charter>
  /** Who has put which charter, and thereby signed it. */
  readonly proposers: ReadonlyMap<string, string>
  /** Who has signed which charter. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>
  readonly faults: readonly string[]
}

export async function checkTranscript(messages: readonly DeliveredEnvelope[], serverDid: string): Promise<Transcript> {
  const faults: string[] = []
  const hashes: string[] = []
  const charters = new Map<string, Charter>()
  const proposers = new Map<string, string>()
  const accepted = new Map<string, Set<string>>()
  let hash: string = transcriptStart
  for (const [index, message] of messages.entries()) {
    if (message.seq !== index + 1) faults.push(`message ${index + 1} is missing: ${message.seq} stands in its place`)
    if (!(await verifyEnvelope(message, serverDid))) faults.push(`message ${message.seq} is not signed by ${message.sender_id}`)
    const after = await hashAfter(hash, message, serverDid)
    if (after === null) faults.push(`message ${message.seq} was erased, and what stands there does not follow on the one before it`)
    hash = after ?? hash
    hashes.push(hash)
    for (const { data } of message.parts) {
      if (data?.kind === 'charter') {
        const charter = Charter.safeParse(data.charter)
        if (charter.success) {
          const hash = await charterHash(charter.data)
          charters.set(hash, charter.data)
          proposers.set(hash, message.sender_id)
        } else faults.push(`message ${message.seq} proposes what is no charter`)
      }
      if (data?.kind === 'charter.accept' && message.type === 'accept') {
        const signers = accepted.get(String(data.charter_hash)) ?? new Set()
        accepted.set(String(data.charter_hash), signers.add(message.sender_id))
      }
    }
  }
  if (messages.length === 0) faults.push('there is no transcript')
  return { hashes, charters, proposers, accepted, faults }
}

/** The goal's room with those of its sub-teams: their charters are put and signed there, and by those who stay the same here. */
export function withRooms(root: Transcript, rooms: readonly Transcript[]): Transcript {
  const all = [root, ...rooms]
  const accepted = new Map<string, Set<string>>()
  for (const one of all)
    for (const [hash, signers] of one.accepted) accepted.set(hash, new Set([...(accepted.get(hash) ?? []), ...signers]))
  return {
    hashes: root.hashes,
    charters: new Map(all.flatMap((one) => [...one.charters])),
    proposers: new Map(all.flatMap((one) => [...one.proposers])),
    accepted,
    faults: all.flatMap((one) => one.faults),
  }
}
