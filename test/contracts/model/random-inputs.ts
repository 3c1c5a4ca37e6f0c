/** What random calls are made of: numbers from a seed, terms, charters, and the memory of them. */
import { type Address, type Hex, toHex } from 'viem'
import { noHash, zeroAddress } from './call-context.ts'
import { type Chain, who } from './escrow-on-chain.ts'
import { bindCharter, planIdOf } from './typed-data.ts'
import type { Charter, State, Step, Terms } from './types.ts'

export type Draw = ReturnType<typeof numbers>

/** Numbers that follow from `seed` alone (mulberry32). */
export function numbers(seed: number) {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
  const below = (bound: number) => next() % bound
  return {
    below,
    /** True in `of` out of `in_`, or once in `of`. */
    chance: (of: number, in_?: number) => (in_ === undefined ? below(of) === 0 : below(in_) < of),
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    hash: (): Hex => toHex(next(), { size: 32 }),
    share: () => [0, 1, 3333, 5000, 9999, 10_000, 10_001][below(7)] as number,
  }
}

/** The terms and charters that were ever spoken of, by their names. */
export function createBook(escrow: Address) {
  const terms: Record<Hex, Terms> = {}
  const charters: Record<Hex, Charter> = {}
  const idOf = (of: Terms) => planIdOf(escrow, of)
  const know = (charter: Charter) => {
    charters[bindCharter(charter)] = charter
  }
  return {
    terms,
    charters,
    idOf,
    know,
    learn: (of: Terms, charter: Charter | null) => {
      terms[idOf(of)] = of
      if (charter) know(charter)
    },
  }
}
export type Book = ReturnType<typeof createBook>

let salt = 0n

/** Terms that hold together; one time in many, spoiled in the place that `flaw` names. */
export function anyTerms(
  state: State,
  chain: Chain,
  draw: Draw,
  flaw: number,
  changes: Partial<Terms>,
): { terms: Terms; charter: Charter | null } {
  const workBy = state.time + 30 + draw.below(400)
  const reviewBy = workBy + 600 + draw.below(200)
  salt += 1n
  const terms: Terms = {
    client: who.client,
    token: draw.pick([chain.usdc, chain.wayward]),
    total: BigInt(draw.chance(5) ? 1 + draw.below(40) : 1000 + draw.below(100_000)),
    workBy,
    reviewBy,
    expiry: reviewBy + 600 + draw.below(200),
    feeBps: draw.pick([0, 0, 1, 250, 333, 1000]),
    feeTo: who.feeTo,
    evaluator: draw.pick([who.evaluator, who.evaluator, who.evaluator, chain.wallet]),
    arbitrator: draw.pick([zeroAddress, who.arbitrator, who.arbitrator]),
    authorizer: draw.pick([zeroAddress, who.delegate, who.patron]),
    vetoSeconds: draw.pick([0, 60, 300, 60, 5000]),
    onSilence: draw.pick([0, 1, 2, 3, 5, 7]),
    charter: noHash,
    briefHash: draw.hash(),
    salt,
    ...changes,
  }
  const charter = draw.chance(3) ? anyCharter(terms, chain, draw, flaw) : null
  const direct = charter ? { ...terms, charter: bindCharter(charter) } : terms
  return { terms: { ...direct, ...badTerms(direct, chain, flaw - 20) }, charter }
}

function badTerms(terms: Terms, chain: Chain, flaw: number): Partial<Terms> {
  const bad: Partial<Terms>[] = [
    { client: zeroAddress },
    { evaluator: zeroAddress },
    { evaluator: chain.escrow },
    { evaluator: terms.client },
    { arbitrator: terms.client },
    { arbitrator: terms.evaluator },
    { workBy: terms.workBy - 100_000 },
    { reviewBy: terms.workBy - 1 },
    { expiry: terms.reviewBy - 1 },
    { onSilence: 200 },
    { onSilence: 6 },
    { reviewBy: terms.workBy + 599 },
    { expiry: terms.reviewBy + 599 },
    { token: chain.wallet },
    { total: 0n },
    { feeBps: 1001 },
    { feeTo: zeroAddress },
    { feeTo: chain.escrow },
    { reviewBy: terms.workBy, expiry: terms.workBy },
    { client: who.stranger },
    { authorizer: terms.evaluator },
    { authorizer: terms.arbitrator },
  ]
  return bad[flaw] ?? {}
}

/** A charter that the terms can pay; spoiled in the place that `flaw` names. */
export function anyCharter(terms: Terms, chain: Chain, draw: Draw, flaw: number): Charter {
  const team = [who.alice, who.bob, who.carol, chain.wallet, who.client].filter((member) => member !== terms.evaluator)
  const count = draw.chance(12) ? 64 : 1 + draw.below(5)
  const each = (terms.total * 10_000n) / BigInt(10_000 + Math.min(terms.feeBps, 1000)) / BigInt(count)
  const steps = Array.from({ length: count }, (): Step => ({ payee: draw.pick(team), amount: draw.chance(6) ? each / 2n : each }))
  const royalties = Array.from({ length: draw.pick([0, 0, 1, 3]) }, () => draw.below(count))
    .sort((a, b) => a - b)
    .map((step) => ({ step, to: draw.pick([who.patron, who.alice]), bps: draw.pick([1, 500, 1666]) }))
  const charter = { steps, royalties, charterHash: draw.hash() }
  const [first = { payee: who.alice, amount: 1n }] = steps
  const bad: Partial<Charter>[] = [
    { steps: [] },
    { steps: Array.from({ length: 65 }, () => ({ ...first, amount: 0n })) },
    { steps: [{ ...first, payee: zeroAddress }] },
    { steps: [{ ...first, payee: terms.evaluator }] },
    { steps: [...steps, { ...first, payee: chain.escrow }].slice(-64) },
    { steps: [{ ...first, amount: terms.total + 1n }] },
    { royalties: [{ step: 0, to: who.patron, bps: 5001 }] },
    {
      royalties: [
        { step: 0, to: who.patron, bps: 5000 },
        { step: 0, to: who.alice, bps: 1 },
      ],
    },
    {
      royalties: [
        { step: 63, to: who.patron, bps: 1 },
        { step: 0, to: who.patron, bps: 1 },
      ],
    },
    { royalties: [{ step: 0, to: zeroAddress, bps: 1 }] },
    { royalties: Array.from({ length: 65 }, () => ({ step: 0, to: who.patron, bps: 1 })) },
    { steps: [{ ...first, payee: terms.arbitrator }] },
  ]
  return { ...charter, ...bad[flaw - 40] }
}
