import type Stripe from 'stripe'
import type { FakeContext } from './fake-context.ts'
import type { Entry } from './state.ts'

/** Card payments become available two days after the charge, everything else at once. */
const settlementSeconds = 2 * 86_400

/** Amounts in cents. `source`: the object that moves the money. */
type NewEntry = { readonly type: Entry['type']; readonly source: string; readonly amount: number; readonly fee?: number }

/** Adds an entry to the platform's balance. */
export function addBalanceEntry(context: FakeContext, { type, source, amount, fee = 0 }: NewEntry): Entry {
  const isPending = type === 'charge'
  const entry: Entry = {
    id: context.next('txn'),
    object: 'balance_transaction',
    amount,
    available_on: context.now() + (isPending ? settlementSeconds : 0),
    created: context.now(),
    currency: 'usd',
    fee,
    net: amount - fee,
    status: isPending ? 'pending' : 'available',
    type,
    source,
  }
  context.state.entries.push(entry)
  return entry
}

/** The platform's balance in cents, after automatic payouts. */
export function balanceOf(context: FakeContext): { available: number; pending: number } {
  settleBalance(context)
  const sum = (status: Entry['status']) =>
    context.state.entries.reduce((all, entry) => (entry.status === status ? all + entry.net : all), 0)
  return { available: sum('available'), pending: sum('pending') }
}

/** Makes due entries available, and pays them out with automatic payouts. */
export function settleBalance(context: FakeContext): void {
  for (const entry of context.state.entries)
    if (entry.status === 'pending' && entry.available_on <= context.now()) entry.status = 'available'
  if (context.state.payouts !== 'automatic') return
  const available = context.state.entries.reduce((all, entry) => (entry.status === 'available' ? all + entry.net : all), 0)
  if (available > 0) addBalanceEntry(context, { type: 'payout', source: context.next('po'), amount: -available })
}

/** The answer of `GET /v1/balance_settings`. */
export function balanceSettings(context: FakeContext): { object: 'balance_settings'; payments: object } {
  const interval: Stripe.BalanceSettings.Payments.Payouts.Schedule['interval'] = context.state.payouts === 'manual' ? 'manual' : 'daily'
  return { object: 'balance_settings', payments: { debit_negative_balances: false, payouts: { schedule: { interval } } } }
}
