import type { Context } from '../../context.ts'
import { requireEscrowHold } from './hold.ts'
import { loadHold } from './hold-store.ts'

/** The signed terms by the escrow's field names. Amounts are decimal strings. @throws hold.not_found, hold.wrong_rail */
export async function getEscrowTerms(ctx: Context, goalId: string): Promise<{ [field: string]: string | number }> {
  const { terms } = requireEscrowHold(await loadHold(ctx, goalId))
  return Object.fromEntries(Object.entries(terms).map(([field, value]) => [field, typeof value === 'bigint' ? value.toString() : value]))
}
