import type { EscrowTerms, SilenceOutcome } from '@parley/protocol'
import { silenceFlags } from '../../../contracts/abi/index.ts'

type Terms = Pick<EscrowTerms, 'onSilence'>

/** What the terms do with work that no party decides. */
export function silenceOutcomeOfTerms({ onSilence }: Terms): SilenceOutcome {
  if ((onSilence & silenceFlags.pays) === 0) return 'refund'
  return (onSilence & silenceFlags.splits) === 0 ? 'pay' : 'split'
}

/** The terms' `onSilence`. A silent member never blocks its team: a charter signed by its own members can replace an agreed one. */
export function onSilenceOf(outcome: SilenceOutcome): number {
  const { pays, replacesMembers, splits } = silenceFlags
  return replacesMembers | { refund: 0, pay: pays, split: pays | splits }[outcome]
}
