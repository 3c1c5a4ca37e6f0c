import type { Charter } from '@parley/protocol'
import type { Context } from '../../context.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { recordCharter } from '../../settlement/index.ts'
import { saveSteps } from './step-store.ts'

type Hex = `0x${string}`

/** Saves the steps of a sealed charter and submits it to the rail. */
export async function saveAndSubmitSealedCharter(
  tx: Context,
  input: { charter: Charter; charterHash: string; memberSignatures: readonly (EscrowMemberSignature | null)[] },
): Promise<void> {
  const { charter, charterHash, memberSignatures } = input
  await saveSteps(tx, charter)
  await recordCharter(tx, {
    goalId: charter.goal_id,
    version: charter.version,
    charterHash: charterHash as Hex,
    steps: charter.steps.map((step) => ({
      step: step.step,
      payee: step.payee as Hex,
      amount: BigInt(step.amount),
      agentId: step.agent_id,
      royalties: (step.royalties ?? []).map(({ to, bps }) => ({ to: to as Hex, bps })),
    })),
    memberSignatures,
  })
}
