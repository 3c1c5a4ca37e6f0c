import { hash } from 'node:crypto'
import { neighbourBytes, type Signature, type Signer, vouchedBytes } from '@parley/protocol'
import { type Spelled, signedText } from '../delivery/index.ts'

/** Messages under one signature: each doubling saves half of what is left of it, and costs every message a hash more. */
const mostLeaves = 32

/** The server's signatures under what it says for others, in their order: one signature for many of them. */
export async function vouchTogether(signer: Signer, spelled: readonly Spelled[]): Promise<Signature[]> {
  const trees: Spelled[][] = []
  for (let at = 0; at < spelled.length; at += mostLeaves) trees.push(spelled.slice(at, at + mostLeaves))
  const signed = await Promise.all(trees.map((leaves) => signTree(signer, leaves)))
  return signed.flat()
}

async function signTree(signer: Signer, leaves: readonly Spelled[]): Promise<Signature[]> {
  const { did: kid } = signer
  const [first] = leaves
  if (first && leaves.length === 1) return [{ alg: 'session', kid, value: await signer.sign(new TextEncoder().encode(signedText(first))) }]
  const { root, paths } = treeOver(leaves.map(({ bodyHash }) => Buffer.from(bodyHash, 'hex')))
  const value = await signer.sign(vouchedBytes(root))
  return paths.map((path) => ({ alg: 'session', kid, value, path: Buffer.concat(path).toString('base64url') }))
}

/** Who has no neighbour on a level waits for one on the next. */
function treeOver(leaves: readonly Buffer[]): { root: Buffer; paths: Buffer[][] } {
  const paths: Buffer[][] = leaves.map(() => [])
  let level = [...leaves]
  // On each level a node stands over so many leaves that follow on one another; the last one over what is left.
  for (let width = 1; level.length > 1; width *= 2) {
    const above: Buffer[] = []
    for (let at = 0; at < level.length; at += 2) {
      const [one, other] = [level[at] as Buffer, level[at + 1]]
      if (other) {
        for (let leaf = at * width; leaf < (at + 1) * width; leaf++) paths[leaf]?.push(other)
        for (let leaf = (at + 1) * width; leaf < (at + 2) * width; leaf++) paths[leaf]?.push(one)
      }
      above.push(other ? hash('sha256', neighbourBytes(one, other), 'buffer') : one)
    }
    level = above
  }
  const [root] = level
  if (!root) throw new Error('a tree without leaves')
  return { root, paths }
}
