import { settledCharter } from '../../../contracts/abi/index.ts'
import type { Context } from '../../context.ts'
import { escrowCharter, listCharters } from '../holds/hold-store.ts'

/**
 * The hash of this charter version as the evaluator attests it at the escrow.
 * @throws Error if the version does not exist; callers take it from the hold
 */
export async function getEvaluatorAttestedCharterHash(ctx: Context, goalId: string, version: number): Promise<`0x${string}`> {
  const charter = (await listCharters(ctx, goalId)).find((one) => one.version === version)
  if (!charter) throw new Error(`version ${version} of the charter of ${goalId} is not among ours`)
  return settledCharter(escrowCharter(charter))
}
