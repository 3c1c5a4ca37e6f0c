import { hash } from 'node:crypto'
import { merkleRootBytes, type Signer } from '@parley/protocol'
import type { CanonicalEnvelope } from '../../delivery/index.ts'

/** Messages under one signature. Each doubling halves the signing cost per message and adds one hash to every message. */
const maxLeaves = 32

/** `delegation`: canonical JSON of the sender's delegation; null if the sender has no key. */
export type VouchedEnvelope = { readonly canonical: CanonicalEnvelope; readonly delegation: string | null }

/**
 * Signs messages that the server vouches for: one signature over a Merkle tree of up to 32 messages.
 * Returns the `sig` fields in order, as canonical JSON. None of their values needs escaping.
 */
export async function signServerVouchedMessages(signer: Signer, envelopes: readonly VouchedEnvelope[]): Promise<string[]> {
  const trees: VouchedEnvelope[][] = []
  for (let at = 0; at < envelopes.length; at += maxLeaves) trees.push(envelopes.slice(at, at + maxLeaves))
  const signed = await Promise.all(trees.map((leaves) => signMerkleTree(signer, leaves)))
  return signed.flat()
}

async function signMerkleTree(signer: Signer, leaves: readonly VouchedEnvelope[]): Promise<string[]> {
  const kid = `"kid":"${signer.did}",`
  const head = ({ delegation }: VouchedEnvelope) =>
    delegation === null ? `{"alg":"session",${kid}` : `{"alg":"session","delegation":${delegation},${kid}`
  const [first] = leaves
  if (first && leaves.length === 1) {
    return [`${head(first)}"value":"${await signer.sign(first.canonical.signed as Uint8Array<ArrayBuffer>)}"}`]
  }
  const { root, paths } = buildMerkleTree(leaves.map(({ canonical }) => canonical.bodyHash))
  const tail = `","value":"${await signer.sign(merkleRootBytes(root))}"}`
  return leaves.map((leaf, index) => `${head(leaf)}"path":"${paths[index]}${tail}`)
}

const hashBytes = 32
/** The domain separator of inner nodes (a byte that no envelope starts with), then two hashes. */
const pairBuffer = Buffer.alloc(1 + 2 * hashBytes, 1)

/** The Merkle root, and for each leaf its inclusion proof in base64url. A node without a sibling moves up one level unchanged. */
function buildMerkleTree(leaves: readonly string[]): { root: Buffer; paths: string[] } {
  const count = leaves.length
  let level = Buffer.from(leaves.join(''), 'hex')
  const maxPathBytes = Math.ceil(Math.log2(count)) * hashBytes
  const paths = Buffer.allocUnsafe(count * maxPathBytes)
  const ends = leaves.map((_, leaf) => leaf * maxPathBytes)
  /** Appends the node at `from` to the proofs of all leaves below the node at `under`. */
  const appendToPaths = (from: number, under: number, width: number) => {
    for (let leaf = under * width, end = Math.min(leaf + width, count); leaf < end; leaf++) {
      const at = ends[leaf] ?? 0
      level.copy(paths, at, from * hashBytes, (from + 1) * hashBytes)
      ends[leaf] = at + hashBytes
    }
  }
  // `width`: leaves below each node of this level; the last node may cover fewer.
  for (let width = 1, nodes = count; nodes > 1; width *= 2, nodes = Math.ceil(nodes / 2)) {
    const above = Buffer.allocUnsafe(Math.ceil(nodes / 2) * hashBytes)
    for (let node = 0; node < nodes; node += 2) {
      const [at, to] = [node * hashBytes, (node / 2) * hashBytes]
      if (node + 1 === nodes) {
        level.copy(above, to, at)
        continue
      }
      appendToPaths(node + 1, node, width)
      appendToPaths(node, node + 1, width)
      above.write(hashPair(level, at), to, 'latin1')
    }
    level = above
  }
  return { root: level, paths: leaves.map((_, leaf) => paths.toString('base64url', leaf * maxPathBytes, ends[leaf])) }
}

/** The hash of the two adjacent nodes at `at`, the smaller one first, as `merkleNodeBytes` of the protocol defines it. */
function hashPair(level: Buffer, at: number): string {
  const [middle, end] = [at + hashBytes, at + 2 * hashBytes]
  const isInOrder = level.compare(level, middle, end, at, middle) < 0
  level.copy(pairBuffer, isInOrder ? 1 : 1 + hashBytes, at, middle)
  level.copy(pairBuffer, isInOrder ? 1 + hashBytes : 1, middle, end)
  return hash('sha256', pairBuffer, 'latin1')
}
