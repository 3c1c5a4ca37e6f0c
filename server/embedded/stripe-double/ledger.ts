import type { Entry } from './state.ts'
import type { World } from './world.ts'

/** A movement on the platform's balance. */
export function enter(world: World, type: Entry['type'], source: string, amount: number, fee = 0): void {
  world.state.entries.push({
    id: world.next('txn'),
    object: 'balance_transaction',
    amount,
    created: world.now(),
    currency: 'usd',
    fee,
    net: amount - fee,
    status: 'available',
    type,
    source,
  })
}

export function balanceOf(world: World): number {
  return world.state.entries.reduce((sum, entry) => sum + entry.net, 0)
}
