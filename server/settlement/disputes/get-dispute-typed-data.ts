import { evidenceHash } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { stepNotDisputable } from '../errors.ts'
import { noArbitrator } from '../holds/hold-deadlines.ts'
import { disputeTypedData } from './dispute-and-offer-typed-data.ts'
import { type EscrowedStep, loadEscrowedStep, requireDisputeParty } from './load-escrowed-step.ts'

export type EvidenceInput = {
  readonly goal_id: string
  readonly step: number
  readonly evidence: string
  readonly artifacts: readonly string[]
}
export type DisputeTypedData = {
  /** EIP-712 typed data for `eth_signTypedData_v4`. */
  readonly typedData: Eip712TypedData
  readonly evidenceHash: `0x${string}`
  /** Unix seconds: last time to open the dispute, and last time to rule. */
  readonly reviewBy: number
  readonly expiry: number
}

/**
 * Typed data with which a party opens a dispute.
 * @throws dispute.not_party, dispute.wrong_state
 */
export async function getDisputeTypedData(ctx: Context, input: EvidenceInput): Promise<DisputeTypedData> {
  const step = await loadEscrowedStep(ctx, input.goal_id, input.step)
  requireDisputeParty(ctx, step)
  requireDisputable(step, seconds(ctx.clock.now()))
  const hash = await hashEvidence(input)
  const { reviewBy, expiry } = step.hold.terms
  return { typedData: disputeTypedData(step, input.step, hash), evidenceHash: hash, reviewBy, expiry }
}

export function hashEvidence(input: EvidenceInput): Promise<`0x${string}`> {
  return evidenceHash({ goal_id: input.goal_id, step: input.step, text: input.evidence, artifacts: input.artifacts })
}

/** @throws dispute.wrong_state if the terms name no arbitrator, the review is over, or the step has ended or is disputed */
export function requireDisputable({ hold, payout }: EscrowedStep, now: number): void {
  const { arbitrator, reviewBy } = hold.terms
  if (arbitrator === noArbitrator) throw stepNotDisputable('The terms have no arbitrator.', { step: payout.step })
  if (now >= reviewBy) throw stepNotDisputable('The review has ended.', { review_by: reviewBy, now })
  if (payout.state !== 'sealed' && payout.state !== 'paying')
    throw stepNotDisputable('The step is already paid, ended or disputed.', { step: payout.step, state: payout.state })
}
