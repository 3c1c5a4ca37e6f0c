/** Plays the same calls to the model and to the escrow, and compares all that either knows after each of them. */
import fc from 'fast-check'
import { type Abi, type Address, createPublicClient, custom, type EIP1193Provider, type Hex, type PublicClient } from 'viem'
import { hardhat } from 'viem/chains'
import { planEscrowAbi } from '../../../contracts/abi/plan-escrow.ts'
import { testUsdcAbi } from '../../../contracts/abi/test-usdc.ts'
import { corruptCall, flawCount } from './corrupt-call.ts'
import { type Chain, createChain, firstState, lower, who } from './escrow-on-chain.ts'
import type { Intent } from './intent-targets.ts'
import { callOf } from './intents.ts'
import { call } from './model.ts'
import { type Book, createBook } from './random-inputs.ts'
import type { Call, ChainEvent, Fn, State } from './types.ts'

/** How often each call is drawn: what moves plans along, more often. */
const weights: Record<Fn, number> = {
  fund: 4,
  fundMany: 2,
  fundWithAuthorization: 2,
  seal: 9,
  veto: 3,
  requestClose: 2,
  reseal: 3,
  setSigner: 2,
  setSignerBySignature: 1,
  submit: 4,
  settle: 6,
  settleHalf: 4,
  settleMany: 3,
  sealAndSettle: 3,
  sealAndSettleMany: 2,
  release: 4,
  settleOnSilence: 6,
  dispute: 7,
  rule: 6,
  acceptOffer: 4,
  refund: 4,
  closeExpired: 4,
  withdrawCredit: 3,
  withdrawCreditTo: 3,
  'token.setAnswer': 4,
  'token.setFee': 1,
  'token.give': 1,
  'token.approve': 1,
}
const fns = Object.entries(weights).flatMap(([fn, weight]) => Array.from({ length: weight }, () => fn as Fn))

/** Every call. */
export const allFns = Object.keys(weights)

/** Two calls in three are sound as far as their maker knows. */
export const anyIntent: fc.Arbitrary<Intent> = fc.record({
  fn: fc.constantFrom(...fns),
  plan: fc.nat(1000),
  seed: fc.nat(),
  flaw: fc.oneof({ weight: 2, arbitrary: fc.constant(99) }, { weight: 1, arbitrary: fc.nat(flawCount) }),
  wait: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat(10) },
    { weight: 1, arbitrary: fc.integer({ min: 11, max: 19 }) },
  ),
})

/** What was seen: calls that went through and that were refused, by name of call and of error. */
export type Tally = { through: Record<string, number>; errors: Record<string, number>; calls: number }
export const emptyTally = (): Tally => ({ through: {}, errors: {}, calls: 0 })

export async function createComparison() {
  const chain = await createChain()
  const reader = createPublicClient({ chain: hardhat, transport: custom(chain.connection.provider as unknown as EIP1193Provider) })
  const start = (await chain.time()) + 10
  let snapshot = await chain.request('evm_snapshot')

  /** Throws at the first call after which the two differ; answers the escrow's events and how it all stands. */
  async function runIntents(intents: readonly Intent[], tally: Tally): Promise<{ events: ChainEvent[]; state: State }> {
    await chain.request('evm_revert', [snapshot])
    snapshot = await chain.request('evm_snapshot')
    const book = createBook(chain.escrow)
    const events: ChainEvent[] = []
    let state = firstState(chain, start)
    for (const intent of intents) {
      state = { ...state, time: timeAfter(state, book, intent) }
      const what = corruptCall(callOf({ state, book, chain }, intent), intent.flaw)
      const answer = await chain.act(state.time, what)
      const outcome = call(state, what)
      count(tally, what, outcome.error)
      requireSame('error', outcome.error, answer.error, what)
      requireSame('events', outcome.events, answer.events, what)
      events.push(...answer.events)
      state = outcome.state
      requireSame('state', pictureOf(state), await pictureOfChain(chain, reader, state), what)
    }
    return { events, state }
  }

  return { play: runIntents, [Symbol.asyncDispose]: () => chain[Symbol.asyncDispose]() }
}

/** Time continues by a second at least; the higher waits jump to just around a deadline of some open plan. */
function timeAfter(state: State, book: Book, { fn, wait, plan }: Intent): number {
  const open = Object.entries(book.terms).filter(([id]) => state.plans[id as Hex]?.status === 1)
  const deadlines = open.flatMap(([id, { workBy, reviewBy, expiry }]) => {
    const { payableFrom = 0 } = state.plans[id as Hex] ?? {}
    return [workBy, reviewBy, expiry, ...(payableFrom > state.time ? [payableFrom] : [])]
  })
  const isForTheEnd = fn === 'refund' || fn === 'closeExpired'
  if (isForTheEnd && wait % 3 !== 0 && open.length > 0) return Math.max(state.time + 1, ...open.slice(0, 2).map(([, { expiry }]) => expiry))
  if (wait <= 10 || deadlines.length === 0) return state.time + 1 + wait * wait
  const wanted = (deadlines[plan % deadlines.length] as number) + (wait % 3) - 1
  return Math.max(state.time + 1, wanted)
}

function count(tally: Tally, what: Call, error: string | null): void {
  tally.calls += 1
  const [where, name] = error === null ? [tally.through, what.fn] : [tally.errors, error]
  where[name] = (where[name] ?? 0) + 1
}

const accounts = Object.values(who)

/** What the model says of everything that the escrow can be asked. */
function pictureOf(state: State): string[] {
  const all = [...accounts, ...(Object.keys(state.wallets) as Address[])]
  const tokens = Object.entries(state.tokens) as [Address, State['tokens'][Address]][]
  return [
    ...Object.values(state.plans).flatMap((plan) => {
      const codes = plan.codes.reduce((word, code, i) => word | (BigInt(code) << BigInt(2 * i)), 0n)
      const { status, remaining, version, state: charterState, closing, vetoed, noticed } = plan
      const { submitted, disputedByPayee, payableFrom, closableFrom } = plan
      return [
        [status, remaining, codes, version, charterState, closing, vetoed, noticed].join(),
        plan.charter,
        [submitted, disputedByPayee, payableFrom, closableFrom].join(),
      ]
    }),
    ...tokens.flatMap(([token, { balances }]) => [
      ...[...all, state.escrow].map((account) => `${balances[account] ?? 0n}`),
      ...all.map((account) => `${state.credits[token]?.[account] ?? 0n}`),
    ]),
    ...accounts.map((account) => `${state.nonces[account] ?? 0n}`),
    ...accounts.map((account) => `${state.signers[`${account} ${who.delegate}`] ?? false}`),
  ]
}

/** The same, asked of the escrow in one call. */
async function pictureOfChain(chain: Chain, reader: PublicClient, state: State): Promise<string[]> {
  const all = [...accounts, chain.wallet]
  const ask = (functionName: string, ...args: unknown[]) => ({ address: chain.escrow, abi: planEscrowAbi as Abi, functionName, args })
  const holds = (token: Address, account: Address) => ({
    address: token,
    abi: testUsdcAbi as Abi,
    functionName: 'balanceOf',
    args: [account],
  })
  const contracts = [
    ...Object.keys(state.plans).flatMap((id) => [ask('plan', id), ask('charterOf', id), ask('marks', id)]),
    ...[chain.usdc, chain.wayward].flatMap((token) => [
      ...[...all, chain.escrow].map((account) => holds(token, account)),
      ...all.map((account) => ask('credit', token, account)),
    ]),
    ...accounts.map((account) => ask('nonceOf', account)),
    ...accounts.map((account) => ask('isSigner', account, who.delegate)),
  ]
  const answers = await reader.multicall({ contracts, deployless: true, allowFailure: false, batchSize: 0 })
  return answers.map(String)
}

function requireSame(name: string, expected: unknown, actual: unknown, what: Call): void {
  const [model, escrow] = [textOf(expected), textOf(actual)]
  if (model !== escrow) throw new Error(`${what.fn}: ${name} differ\n  model  ${model}\n  escrow ${escrow}\n  call   ${textOf(what)}`)
}

/** One text for one value; names in order, addresses in lower case. */
function textOf(value: unknown): string {
  return lower(
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === 'bigint') return `${inner}`
      if (typeof inner === 'number') return `${inner}`
      if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
    }),
  )
}
