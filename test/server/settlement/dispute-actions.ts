import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Context } from '../../../server/context.ts'
import type { Eip712TypedData } from '../../../server/ports.ts'
import {
  acceptSettlementOffer,
  getDisputeTypedData,
  getSettlementOfferTypedData,
  getWithdrawalTerms,
  makeSettlementOffer,
  openDispute,
  withdrawCredit,
} from '../../../server/settlement/index.ts'
import type { MoneyWorld } from './money-world.ts'

type Hex = `0x${string}`

/** The wallet of `world.payees[index]`. */
export function payee(world: MoneyWorld, index = 0): PrivateKeyAccount {
  return privateKeyToAccount(world.chain.keys[4 + index] ?? '0x')
}

/** An account that is no party of any goal. */
export function stranger(world: MoneyWorld): PrivateKeyAccount {
  return privateKeyToAccount(world.chain.keys[7] ?? '0x')
}

export function as(world: MoneyWorld, account: PrivateKeyAccount, isOperator = false): Context {
  return world.as({ ...world.person(account), isOperator } as never)
}

export function signData(account: PrivateKeyAccount, typedData: Eip712TypedData): Promise<Hex> {
  return account.signTypedData(typedData as Parameters<PrivateKeyAccount['signTypedData']>[0])
}

export const evidence = 'The file is empty.'

/** Signs and sends a dispute as this account; returns its id. */
export async function dispute(
  world: MoneyWorld,
  account: PrivateKeyAccount,
  goalId: `gol_${string}`,
  step: number,
): Promise<`dsp_${string}`> {
  const given = { goal_id: goalId, step, evidence, artifacts: [] }
  const ctx = as(world, account)
  const signature = await signData(account, (await getDisputeTypedData(ctx, given)).typedData)
  return (await openDispute(ctx, { type: 'dispute.open', ...given, signature })).dispute_id as `dsp_${string}`
}

/** Proposes a split that is valid for an hour. */
export async function offer(world: MoneyWorld, account: PrivateKeyAccount, goalId: `gol_${string}`, step: number, payeeBps: number) {
  const deadline = Math.floor(world.clock.now().getTime() / 1_000) + 3_600
  const given = { goal_id: goalId, step, payee_bps: payeeBps, deadline }
  const ctx = as(world, account)
  const signature = await signData(account, (await getSettlementOfferTypedData(ctx, given)).typedData)
  return makeSettlementOffer(ctx, { type: 'settlement_offer.make', ...given, signature })
}

export async function accept(world: MoneyWorld, account: PrivateKeyAccount, offerId: string) {
  const ctx = as(world, account)
  const signature = await signData(account, (await getSettlementOfferTypedData(ctx, { settlement_offer_id: offerId })).typedData)
  return acceptSettlementOffer(ctx, { type: 'settlement_offer.accept', settlement_offer_id: offerId as never, signature })
}

export async function withdraw(world: MoneyWorld, account: PrivateKeyAccount, to: Hex) {
  const ctx = as(world, account)
  const { typedData, deadline } = await getWithdrawalTerms(ctx, to)
  return withdrawCredit(ctx, { type: 'credit.withdraw', to, deadline, signature: await signData(account, typedData) })
}

/** State and paid amount by step. */
export async function payoutsOf(world: MoneyWorld, goalId: string) {
  const rows = await world.system.db.payout.findMany({ where: { goalId, state: { not: 'replaced' } }, orderBy: { step: 'asc' } })
  return rows.map((row) => [row.state, row.paidAmount] as const)
}
