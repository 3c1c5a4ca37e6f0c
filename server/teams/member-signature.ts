import { type Charter, charterTypedData, MemberSignature, payeesOf } from '@parley/protocol'
import type { Context } from '../context.ts'
import type { EscrowMemberSignature } from '../ports.ts'
import { getHold } from '../settlement/index.ts'
import { teamSignatureInvalid } from './errors.ts'

type Hex = `0x${string}`
type Given = {
  readonly envelope?: { readonly [key: string]: unknown } | undefined
  readonly member_signature?: MemberSignature | undefined
}

/** The member's signature for the escrow: from its signed envelope, or from the command of an agent without a key. */
export function signatureIn(given: Given, kind: 'charter' | 'charter.accept'): MemberSignature | null {
  if (given.envelope === undefined) return given.member_signature ?? null
  const parts = Array.isArray(given.envelope.parts) ? given.envelope.parts : []
  const data = parts.map((part) => part?.data).find((one) => one?.kind === kind)
  if (data?.member_signature === undefined) return null
  const parsed = MemberSignature.safeParse(data.member_signature)
  if (!parsed.success) throw teamSignatureInvalid('It does not have the form { signer, signature }.')
  return parsed.data
}

/**
 * Verifies the signature for all payees of this agent under the charter. It may ask the chain about contract wallets and delegated
 * signers, so it runs before the transaction. The charter's hash binds it.
 * @throws team.signature_invalid
 */
export async function checkMemberSignature(
  ctx: Context,
  input: { charter: Charter; charterHash: string; agentId: string; given: MemberSignature },
): Promise<void> {
  const { charter, given } = input
  const hold = await getHold(ctx, charter.goal_id)
  if (hold.rail !== 'escrow') throw teamSignatureInvalid('The money of this goal is not in an escrow.')
  const signer = given.signer as Hex
  for (const payee of ownPayees(charter, input.agentId)) {
    if (payee !== signer && !(await ctx.ports.rail.isSigner(payee, signer)))
      throw teamSignatureInvalid(`${signer} may not sign for ${payee}.`)
  }
  const plan = { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId }
  const typedData = charterTypedData(charter, input.charterHash as Hex, plan)
  const isGood = await ctx.ports.verifyWallet.typedData({ address: signer, typedData, signature: given.signature as Hex })
  if (!isGood)
    throw teamSignatureInvalid(`It is not a signature of ${signer} over version ${charter.version} of this charter and its plan.`)
}

/** Stores the signature for the seal, once per payee of the agent. */
export async function saveMemberSignature(
  tx: Context,
  input: { charter: Charter; agentId: string; given: MemberSignature },
): Promise<void> {
  const { charter, given } = input
  const { signer, signature } = given
  await tx.db.memberSignature.createMany({
    data: ownPayees(charter, input.agentId).map((payee) => ({
      goalId: charter.goal_id,
      version: charter.version,
      payee,
      signer,
      signature,
    })),
    skipDuplicates: true,
  })
}

/** The signature of each payee, in the escrow's order; null if missing. */
export async function listMemberSignatures(tx: Context, charter: Charter): Promise<(EscrowMemberSignature | null)[]> {
  const rows = await tx.db.memberSignature.findMany({ where: { goalId: charter.goal_id, version: charter.version } })
  return payeesOf(charter).map((payee) => {
    const row = rows.find((one) => one.payee === payee)
    // It was verified when it was received.
    return row ? { signer: row.signer as Hex, signature: row.signature as Hex } : null
  })
}

function ownPayees(charter: Charter, agentId: string): Hex[] {
  return [...new Set(charter.steps.filter((step) => step.agent_id === agentId).map((step) => step.payee as Hex))]
}
