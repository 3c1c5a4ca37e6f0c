import type { EscrowCharter, EscrowTerms } from '@parley/protocol'
import type { EscrowMemberSignature } from '../../ports.ts'

/** In the terms' `onSilence`. */
const dropsSilentMembers = 2

/** Where the terms do not let a silent member be replaced, those who leave sign too. */
export function requiresDepartingMembers({ onSilence }: Pick<EscrowTerms, 'onSilence'>): boolean {
  return (onSilence & dropsSilentMembers) === 0
}

/**
 * The members' signatures that a seal brings. Each is empty where the evaluator's replaces it: a member can take a signer back, and a
 * contract wallet can change its answer, so a signature that was good when it was given may be refused on chain, and the whole seal
 * with it. Only a payee that takes less than under a charter that this one may replace has to sign itself.
 * `given`: every payee's, in order of first appearance.
 */
export function requiredSignatures(
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
