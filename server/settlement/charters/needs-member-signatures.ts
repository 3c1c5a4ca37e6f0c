import type { Context } from '../../context.ts'
import { loadHold } from '../holds/hold-store.ts'
import { isQuoted } from '../holds/quoted-charter.ts'

/** Whether members must sign the charter for the escrow. Goals paid by card and quoted goals need no signatures. */
export async function needsMemberSignatures(ctx: Context, goalId: string): Promise<boolean> {
  const hold = await loadHold(ctx, goalId)
  return hold.rail === 'escrow' && !isQuoted(hold)
}
