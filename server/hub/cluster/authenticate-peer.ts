import { randomUUID } from 'node:crypto'
import type { Signer } from '@parley/protocol'
import { verifySignature } from '../../identity/index.ts'

/** The header in which both sides of a new connection prove that they are of the same server. */
export const peerHeader = 'parley-link'

/** Who wants to reach which hub. `nonce`: never the same. */
type PeerChallenge = { readonly from: string; readonly to: string; readonly nonce: string }

const asks = ({ from, to, nonce }: PeerChallenge) => new TextEncoder().encode(`parley link 1: ${from} asks ${to}, ${nonce}`)
const answers = ({ from, to, nonce }: PeerChallenge) => new TextEncoder().encode(`parley link 1: ${to} answers ${from}, ${nonce}`)

/** The header of who asks, and how the answer to it is known to be the server's own. */
export async function createPeerProof(
  signer: Signer,
  from: string,
  to: string,
): Promise<{ header: string; isAnswer(header: unknown): Promise<boolean> }> {
  const asking = { from, to, nonce: randomUUID() }
  const header = [from, asking.nonce, await signer.sign(asks(asking))].join(' ')
  return { header, isAnswer: async (answer) => typeof answer === 'string' && verifySignature(signer.did, answers(asking), answer) }
}

/** Proofs that were taken; none counts twice. */
const maxUsedNonces = 100_000

export type PeerAuthenticator = {
  /** Who asks, and the header of the answer; null where the proof is none of this server's. */
  verify(header: unknown): Promise<{ from: string; answer: string } | null>
}

/** `to`: this hub. A proof is about one process and counts once, so that nobody can use it again who has seen it. */
export function createPeerAuthenticator(signer: Signer, to: string): PeerAuthenticator {
  const usedNonces = new Set<string>()
  return {
    async verify(header) {
      const [from, nonce, signature] = typeof header === 'string' ? header.split(' ') : []
      if (!from || !nonce || !signature) return null
      const asking = { from, to, nonce }
      if (!(await verifySignature(signer.did, asks(asking), signature)) || usedNonces.has(nonce)) return null
      usedNonces.add(nonce)
      for (const oldest of usedNonces) {
        if (usedNonces.size <= maxUsedNonces) break
        usedNonces.delete(oldest)
      }
      return { from, answer: await signer.sign(answers(asking)) }
    },
  }
}
