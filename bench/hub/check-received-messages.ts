import { type DeliveredEnvelope, verifyEnvelope } from '@parley/protocol'

/**
 * One member of each room checks its messages: the sequence numbers have no gap, and a sample of the signatures is valid. The other
 * members receive the same frames, which are encoded once for all, and count them.
 */
export type MessageChecker = {
  check(payload: Buffer): void
  /** The number of verified signatures. @throws if a check failed */
  finish(): Promise<number>
}

const checkEvery = 500

export function createMessageChecker(serverDid: string, roomId: string): MessageChecker {
  let last: number | null = null
  let seen = 0
  const faults: string[] = []
  const checks: Promise<boolean>[] = []
  return {
    check(payload) {
      const seq = seqOf(payload)
      if (last !== null && seq !== last + 1) faults.push(`${roomId}: ${seq} after ${last}`)
      last = seq
      if (seen++ % checkEvery !== 0) return
      const { envelope } = JSON.parse(payload.toString()) as { envelope: DeliveredEnvelope }
      if (envelope.seq !== seq || envelope.room_id !== roomId) faults.push(`${roomId}: ${seq} is another message`)
      checks.push(verifyEnvelope(envelope, serverDid))
    },
    async finish() {
      const found = await Promise.all(checks)
      if (found.includes(false)) faults.push(`${roomId}: a signature does not hold`)
      if (faults.length > 0) throw new Error(faults.slice(0, 3).join('; '))
      return found.length
    },
  }
}

/** Its own keys stand in the order of the alphabet, and what follows `seq` is not the sender's. */
function seqOf(payload: Buffer): number {
  let at = payload.lastIndexOf('"seq":') + 6
  let seq = 0
  for (let digit = (payload[at] ?? 0) - 48; digit >= 0 && digit <= 9; digit = (payload[++at] ?? 0) - 48) seq = seq * 10 + digit
  return seq
}
