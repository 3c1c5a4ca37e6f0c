import type { Context } from '../../context.ts'
import { loadHold } from '../holds/hold-store.ts'

/** Whether members must sign the charter for the escrow. Goals paid by card need no signatures. */
export async function requiresCharterSignatures(ctx: Context, goalId: string): Promise<boolean> {
  return (await loadHold(ctx, goalId)).rail === 'escrow'
}
