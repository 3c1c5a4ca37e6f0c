import type { Payout } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { notDisputeParty, stepNotDisputable } from '../errors.ts'
import { type EscrowHold, type FundedHold, isFunded, requireEscrowHold } from '../holds/hold.ts'
import { type HoldCharter, listCharters, loadHold } from '../holds/hold-store.ts'

type Hex = `0x${string}`

/** One step of a plan with a charter in force, and the data that the escrow needs. */
export type EscrowedStep = { readonly hold: EscrowHold & FundedHold; readonly charter: HoldCharter; readonly payout: Payout }
export type DisputeParty = { readonly party: 'client' | 'payee'; readonly by: Hex }

/** @throws hold.not_found, hold.wrong_rail, dispute.wrong_state if the escrow holds no money for the step */
export async function loadEscrowedStep(ctx: Context, goalId: string, step: number): Promise<EscrowedStep> {
  const found = await findEscrowedStep(ctx, goalId, step)
  if (found === null) throw stepNotDisputable('The escrow holds no money for this step.', { goal_id: goalId, step })
  return found
}

/** As `loadEscrowedStep`; null if the escrow holds no money for the step. @throws hold.not_found, hold.wrong_rail */
export async function findEscrowedStep(ctx: Context, goalId: string, step: number): Promise<EscrowedStep | null> {
  const hold = requireEscrowHold(await loadHold(ctx, goalId))
  const payout = await ctx.db.payout.findFirst({ where: { goalId, step, state: { not: 'replaced' } } })
  const charter = isFunded(hold) ? (await listCharters(ctx, goalId)).find((one) => one.version === hold.charter?.version) : undefined
  return isFunded(hold) && charter && payout ? { hold, charter, payout } : null
}

/** Zero-based index of the step in the charter, as the contract counts. */
export function stepIndex(step: number): number {
  return step - 1
}

/** The acting wallet and its role: client, or payee of the step. @throws dispute.not_party */
export function requireDisputeParty(ctx: Context, { hold, payout }: Pick<EscrowedStep, 'hold' | 'payout'>): DisputeParty {
  const { actor } = ctx
  const by = actor.kind === 'person' ? (actor.address.toLowerCase() as Hex) : null
  if (by !== null && by === hold.terms.client) return { party: 'client', by }
  if (by !== null && by === payout.payee) return { party: 'payee', by }
  throw notDisputeParty(by ?? actor.kind, payout.step)
}
