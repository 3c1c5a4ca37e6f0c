/** The tree that EpochPayouts reads: every node carries the sum of its leaves. @see contracts/libraries/SumTree.sol */
import { type Address, concatHex, encodeAbiParameters, type Hex, keccak256, numberToHex, sliceHex } from 'viem'

/** All that an account ever earned, in base units. One leaf an account. */
export type EpochPayout = { readonly account: Address; readonly cumulative: bigint }

type Node = { readonly hash: Hex; readonly sum: bigint }

export type SumTree = {
  /** What `EpochPayouts.commit` takes. */
  readonly root: Hex
  readonly total: bigint
  /** What the contract keeps of the root: 27 bytes. */
  readonly commitment: Hex
  /** The sibling nodes from the account's leaf up, end to end. Throws for an account without a leaf. */
  proofOf(account: Address): Hex
}

const maxSum = 2n ** 96n - 1n
const leafTypes = [{ type: 'address' }, { type: 'address' }, { type: 'uint96' }] as const
const nodeBytes = ({ hash, sum }: Node): Hex => concatHex([hash, numberToHex(sum, { size: 12 })])

function leafOf(token: Address, { account, cumulative }: EpochPayout): Node {
  return { hash: keccak256(keccak256(encodeAbiParameters(leafTypes, [account, token, cumulative]))), sum: cumulative }
}

function parentOf(one: Node, other: Node): Node {
  const [lower, higher] = BigInt(one.hash) <= BigInt(other.hash) ? [one, other] : [other, one]
  return { hash: keccak256(concatHex([nodeBytes(lower), nodeBytes(higher)])), sum: one.sum + other.sum }
}

/** Builds the tree over `payouts`, in their order. Throws when there is none, an account comes twice, or the sum is too large. */
export function buildSumTree(token: Address, payouts: readonly EpochPayout[]): SumTree {
  const places = new Map(payouts.map(({ account }, place) => [account.toLowerCase(), place]))
  if (payouts.length === 0) throw new Error('A tree needs a leaf')
  if (places.size !== payouts.length) throw new Error('An account has one leaf')

  const levels: Node[][] = [payouts.map((payout) => leafOf(token, payout))]
  for (let level = levels[0] ?? []; level.length > 1; ) {
    const above: Node[] = []
    // A node without a sibling goes up as it is.
    for (let i = 0; i < level.length; i += 2) above.push(pairOf(level, i))
    levels.push(above)
    level = above
  }
  const top = levels.at(-1)?.[0] as Node
  if (top.sum > maxSum) throw new Error(`The sum ${top.sum} does not fit the contract`)

  return {
    root: top.hash,
    total: top.sum,
    commitment: sliceHex(keccak256(nodeBytes(top)), 0, 27),
    proofOf(account) {
      const place = places.get(account.toLowerCase())
      if (place === undefined) throw new Error(`${account} has no leaf`)
      const siblings = levels.flatMap((level, height) => level[(place >> height) ^ 1] ?? [])
      return concatHex(siblings.map(nodeBytes))
    },
  }
}

function pairOf(level: readonly Node[], i: number): Node {
  const [one, other] = [level[i] as Node, level[i + 1]]
  return other ? parentOf(one, other) : one
}
