import { settledCharter } from '../../../contracts/abi/index.ts'
import type { Context } from '../../context.ts'
import { escrowCharter, listCharters } from '../holds/hold-store.ts'

/**
 * Hash that the escrow binds to this charter version and that the evaluator attests.
 * @throws Error if the version does not exist; callers take it from the hold
 */
export async function getCharterBinding(ctx: Context, goalId: string, version: number): Promise<`0x${string}`> {
  const charter = (await listCharters(ctx, goalId)).find((one) => one.version === version)
  if (!charter) throw new Error(`version ${version} of the charter of ${goalId} is not among ours`)
  return settledCharter(escrowCharter(charter))
}
