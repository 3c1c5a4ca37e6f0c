import { randomUUID } from 'node:crypto'
import type { Signer } from '@parley/protocol'
import { verifyDidKeySignature } from '../../identity/index.ts'

/** The header with which both sides of a new peer connection prove that they belong to this server. */
export const peerHeader = 'parley-peer'

/** Which hub connects to which. `nonce`: unique. */
type PeerChallenge = { readonly from: string; readonly to: string; readonly nonce: string }

const asks = ({ from, to, nonce }: PeerChallenge) => new TextEncoder().encode(`parley link 1: ${from} asks ${to}, ${nonce}`)
const answers = ({ from, to, nonce }: PeerChallenge) => new TextEncoder().encode(`parley link 1: ${to} answers ${from}, ${nonce}`)

/** The header of the connecting hub, and the check of the answer's header. */
export async function createPeerProof(
  signer: Signer,
  from: string,
  to: string,
): Promise<{ header: string; isAnswer(header: unknown): Promise<boolean> }> {
  const asking = { from, to, nonce: randomUUID() }
  const header = [from, asking.nonce, await signer.sign(asks(asking))].join(' ')
  return { header, isAnswer: async (answer) => typeof answer === 'string' && verifyDidKeySignature(signer.did, answers(asking), answer) }
}

/** Used nonces that are remembered, against replay. */
const maxUsedNonces = 100_000

export type PeerAuthenticator = {
  /** The connecting hub and the answer's header; null if the proof is invalid. */
  verify(header: unknown): Promise<{ from: string; answer: string } | null>
}

/** `to`: this hub. A proof names its receiver and counts once, so that an observer cannot replay it. */
export function createPeerAuthenticator(signer: Signer, to: string): PeerAuthenticator {
  const usedNonces = new Set<string>()
  return {
    async verify(header) {
      const [from, nonce, signature] = typeof header === 'string' ? header.split(' ') : []
      if (!from || !nonce || !signature) return null
      const asking = { from, to, nonce }
      if (!(await verifyDidKeySignature(signer.did, asks(asking), signature)) || usedNonces.has(nonce)) return null
      usedNonces.add(nonce)
      for (const oldest of usedNonces) {
        if (usedNonces.size <= maxUsedNonces) break
        usedNonces.delete(oldest)
      }
      return { from, answer: await signer.sign(answers(asking)) }
    },
  }
}
