/** Plans brought to a state worth attacking, and the calls that their parties make. */
import { type Address, type Hex, type LocalAccount, zeroHash } from 'viem'
import { type PlanTerms, planEscrowAbi } from '../../../contracts/abi/index.ts'
import { actors, type Charter, charterOf, settlementOf, usdc, type World } from '../world.ts'

export type Plan = { terms: PlanTerms; charter: Charter }

/** Terms with an arbitrator, where silence pays: every call can be made on such a plan. */
export const full = { arbitrator: actors.arbitrator.address, onSilence: 1 }
export const noReceipt = { bits: 0n, outputsHash: zeroHash, receivedAt: 0, signature: '0x' as Hex }

export async function sealed(world: World, changes: Partial<PlanTerms> = {}, charter: Charter = charterOf()): Promise<Plan> {
  const terms = await world.terms(changes)
  await world.fund(terms)
  await world.seal(terms, charter)
  return { terms, charter }
}

export async function disputed(world: World, changes: Partial<PlanTerms> = {}, charter: Charter = charterOf()): Promise<Plan> {
  const plan = await sealed(world, { ...full, ...changes }, charter)
  await dispute(world, plan, 0)
  return plan
}

export const dispute = (world: World, { terms, charter }: Plan, step: number, by: LocalAccount = actors.client) =>
  world.call(by, 'dispute', [terms, charter, step, zeroHash, by.address, '0x'])

export const rule = (world: World, { terms, charter }: Plan, step: number, payeeBps: number) =>
  world.call(actors.arbitrator, 'rule', [terms, charter, step, payeeBps, zeroHash, '0x'])

export async function split(world: World, { terms, charter }: Plan, step: number, payeeBps: number, payee: LocalAccount) {
  const offer = { step, payeeBps, deadline: 2 ** 40 - 1 }
  const signatures = await Promise.all([actors.client, payee].map((by) => world.signOffer(terms, charter.version, offer, by)))
  return world.call(actors.relayer, 'acceptOffer', [terms, charter, step, payeeBps, offer.deadline, ...(signatures as [Hex, Hex])])
}

export async function onSilence(world: World, { terms, charter }: Plan, bits: bigint) {
  const receipt = { bits, outputsHash: zeroHash, receivedAt: terms.workBy }
  const signature = await world.signSubmission(terms, charter, receipt)
  return world.call(actors.stranger, 'settleOnSilence', [terms, charter, bits, { ...receipt, signature }])
}

/** Ends an expired plan; where silence pays, the steps that are owed go to their payees. */
export const refundAll = async (world: World, { terms, charter }: Plan) => {
  const { codes } = await world.plan(terms)
  const disputedSteps = Array.from({ length: 64 }, (_, i) => i).filter((i) => ((codes >> BigInt(2 * i)) & 3n) === 3n)
  const { disputedByPayee, submitted } = await world.marks(terms)
  const pendingSteps = Array.from({ length: 64 }, (_, i) => i).filter((i) => ((codes >> BigInt(2 * i)) & 3n) === 0n)
  const has = (bits: bigint, i: number) => ((bits >> BigInt(i)) & 1n) === 1n
  const isOwed = disputedSteps.some((i) => !has(disputedByPayee, i)) || pendingSteps.some((i) => has(submitted, i))
  return isOwed && (terms.onSilence & 1) === 1 ? world.call(actors.stranger, 'closeExpired', [terms, charter]) : world.refund(terms)
}

/** A plan in each state that it can be left in, by the name of the state. */
export function statesOf(world: World): Record<string, (changes?: Partial<PlanTerms>) => Promise<Plan>> {
  return {
    funded: async (changes) => {
      const terms = await world.terms({ ...full, ...changes })
      await world.fund(terms)
      return { terms, charter: { ...charterOf(), version: 0, steps: [] } }
    },
    sealed: (changes) => sealed(world, { ...full, ...changes }),
    'handed in': async (changes) => {
      const plan = await sealed(world, { ...full, ...changes })
      await world.submit(plan.terms, plan.charter, 1n, actors.alice)
      return plan
    },
    'paid in part': async (changes) => {
      const plan = await sealed(world, { ...full, ...changes })
      await world.settle(plan.terms, plan.charter, settlementOf(0b10n))
      return plan
    },
    disputed: (changes) => disputed(world, changes),
    closing: async (changes) => {
      const plan = await disputed(world, changes)
      await world.settle(plan.terms, plan.charter, settlementOf(0b10n, true))
      return plan
    },
  }
}

export const entryPoints = planEscrowAbi.filter((entry) => entry.type === 'function' && entry.stateMutability === 'nonpayable')

/** How much each of them holds more after `act` than before. */
export async function gains(world: World, who: readonly Address[], act: () => Promise<unknown>, token = world.token) {
  const before = await Promise.all(who.map((one) => world.balance(one, token)))
  await act()
  const after = await Promise.all(who.map((one) => world.balance(one, token)))
  return after.map((balance, i) => balance - (before[i] as bigint))
}

/** The chain as it was, after `act`. */
export async function undone<T>(world: World, act: () => Promise<T>): Promise<T> {
  const snapshot = await world.connection.provider.request({ method: 'evm_snapshot', params: [] })
  try {
    return await act()
  } finally {
    await world.connection.provider.request({ method: 'evm_revert', params: [snapshot] })
  }
}

export const setCode = (world: World, at: Address, code: Hex) =>
  world.connection.provider.request({ method: 'hardhat_setCode', params: [at, code] })

export const one = usdc(1)
