/** What the escrow's log alone says: of each plan what it holds and how its steps stand, of each account what it is owed. */
import type { ChainEvent } from '../model/types.ts'

type PlanStatement = { remaining: bigint; isClosed: boolean; codes: number[] }
export type Statement = { plans: Record<string, PlanStatement>; credits: Record<string, bigint> }

const text = (value: unknown) => String(value).toLowerCase()

/** Reads events in their order of emission. */
export function balancesFrom(events: readonly ChainEvent[]): Statement {
  const statement: Statement = { plans: {}, credits: {} }
  const tokens: Record<string, string> = {}
  for (const event of events) {
    const id = text(event.planId)
    if (event.name === 'PlanFunded') {
      tokens[id] = text(event.token)
      statement.plans[id] = { remaining: event.total as bigint, isClosed: false, codes: Array.from({ length: 64 }, () => 0) }
    }
    apply(statement, statement.plans[id], event)
  }
  return statement
}

function apply({ credits }: Statement, plan: PlanStatement | undefined, event: ChainEvent): void {
  const amount = event.amount as bigint
  const owe = (account: unknown, by: bigint) => {
    const key = `${text(event.token)} ${text(account)}`
    credits[key] = (credits[key] ?? 0n) + by
  }
  if (event.name === 'CreditWithdrawn') owe(event.account, -amount)
  if (event.name === 'Credited') owe(event.account, amount)
  if (event.name === 'FeeCredited') owe(event.feeTo, amount)
  if (event.name === 'RoyaltyCredited') owe(event.to, amount)
  if (!plan) return
  const each = (bits: bigint, code: number) => {
    plan.codes = plan.codes.map((old, i) => ((bits >> BigInt(i)) & 1n ? code : old))
  }
  switch (event.name) {
    case 'Paid':
    case 'Refunded':
    case 'Credited':
    case 'FeeCredited':
    case 'RoyaltyCredited':
      plan.remaining -= amount
      return
    case 'StepsSettled':
    case 'StepsDefaulted':
      each(event.bits as bigint, 1)
      return
    case 'StepDisputed':
      each(1n << BigInt(event.step as number), 3)
      return
    case 'StepRuled':
    case 'OfferAccepted':
      each(1n << BigInt(event.step as number), event.payeeBps === 10_000 ? 1 : 2)
      return
    case 'PlanClosing':
      plan.codes = plan.codes.map((code, i) => (code === 0 && !(((event.bits as bigint) >> BigInt(i)) & 1n) ? 2 : code))
      return
    case 'PlanClosed':
      plan.isClosed = true
      plan.codes = plan.codes.map((code) => (code === 0 || code === 3 ? 2 : code))
  }
}
