/** A plan with an arbitrator, for the tests of what happens when client and payee do not agree. */
import type { Hex, LocalAccount } from 'viem'
import type { PlanTerms } from '../../contracts/abi/index.ts'
import { actors, type Charter, charterOf, hash, type World } from './world.ts'

export async function arbitrated(world: World, changes: Partial<PlanTerms> = {}, charter: Charter = charterOf()) {
  const terms = await world.terms({ arbitrator: actors.arbitrator.address, ...changes })
  await world.fund(terms)
  await world.seal(terms, charter)
  return { terms, charter, planId: world.planId(terms) }
}

export function disputing(world: World) {
  return {
    dispute: (of: PlanTerms, charter: Charter, step: number, by: LocalAccount = actors.client) =>
      world.call(by, 'dispute', [of, charter, step, hash(0xe1), by.address, '0x']),
    rule: (of: PlanTerms, charter: Charter, step: number, payeeBps: number, by: LocalAccount = actors.arbitrator, signature: Hex = '0x') =>
      world.call(by, 'rule', [of, charter, step, payeeBps, hash(0xe2), signature]),
  }
}

/** How much each of them holds more after `act` than before, credits included. */
export async function gains(world: World, who: readonly LocalAccount[], act: () => Promise<unknown>, token = world.token) {
  const held = async (one: LocalAccount) => (await world.balance(one.address, token)) + (await world.credit(one.address, token))
  const before = await Promise.all(who.map(held))
  await act()
  const after = await Promise.all(who.map(held))
  return after.map((balance, i) => balance - (before[i] as bigint))
}
