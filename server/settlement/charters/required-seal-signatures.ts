import type { EscrowCharter, EscrowTerms } from '@parley/protocol'
import { silenceFlags } from '../../../contracts/abi/index.ts'
import type { EscrowMemberSignature } from '../../ports.ts'

/** Departing members must sign if the terms do not allow the replacement of silent members. */
export function requiresDepartingMembers({ onSilence }: Pick<EscrowTerms, 'onSilence'>): boolean {
  return (onSilence & silenceFlags.replacesMembers) === 0
}

/**
 * Member signatures that a seal must carry. The evaluator's signature replaces all others. A member can revoke a signer and a
 * contract wallet can change its answer, so a stored signature could make the whole seal fail. Only a payee that gets less than
 * under a replaced charter must sign. `given`: one per payee, in order of first appearance.
 */
export function requiredSealSignatures(
  charter: EscrowCharter,
  given: readonly EscrowMemberSignature[],
  replaced: readonly EscrowCharter[],
): EscrowMemberSignature[] {
  const payees = [...new Set(charter.steps.map(({ payee }) => payee))]
  return given.map((one, place) => {
    const payee = payees[place] ?? one.signer
    const own = amountFor(charter, payee)
    return replaced.some((other) => amountFor(other, payee) > own) ? one : { signer: payee, signature: '0x' }
  })
}

function amountFor({ steps }: EscrowCharter, payee: string): bigint {
  return steps.reduce((sum, step) => (step.payee === payee ? sum + step.amount : sum), 0n)
}
