import type { Context } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { statementNotSigned } from '../errors.ts'

/** The statement of a dispute or of a split has its party's signature: from a key or from a contract wallet. @throws dispute.signature_invalid */
export async function requirePartySignature(
  ctx: Context,
  by: `0x${string}`,
  typedData: Eip712TypedData,
  signature: `0x${string}`,
): Promise<void> {
  if (!(await ctx.ports.verifyWallet.typedData({ address: by, typedData, signature }))) throw statementNotSigned(by)
}
