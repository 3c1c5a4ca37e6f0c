import type { Context } from '../../context.ts'
import { loadHold } from '../holds/hold-store.ts'

/** Whether members are asked to sign a charter for the escrow: not for a goal that is paid by card. */
export async function requiresCharterSignatures(ctx: Context, goalId: string): Promise<boolean> {
  return (await loadHold(ctx, goalId)).rail === 'escrow'
}
