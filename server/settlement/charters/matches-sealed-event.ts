import { hashRoyalties, hashSteps } from '../../../contracts/abi/index.ts'
import { escrowCharter, type HoldCharter } from '../holds/hold-store.ts'

/** Arguments of a `PlanSealed` event. */
export type SealedEventArgs = { readonly [field: string]: unknown }

/**
 * Whether the escrow has sealed exactly this charter. Version and document hash do not identify it, because the holder of the
 * evaluator's key can propose other payees under both.
 */
export function matchesSealedEvent(charter: HoldCharter, sealed: SealedEventArgs): boolean {
  const { steps, royalties } = escrowCharter(charter)
  return (
    Number(sealed.version) === charter.version &&
    sealed.charterHash === charter.hash &&
    sealed.stepsHash === hashSteps(steps) &&
    sealed.royaltiesHash === hashRoyalties(royalties)
  )
}
