/** Attacks that are more than one changed place: several requests, or none that is complete. */

import type { Fault } from '../edge/oracles.ts'
import type { Place } from '../operations/operations.ts'
import { budgetsAttack } from './address-rate-limits.ts'
import { tampering } from './changed-or-removed-messages.ts'
import { changedRepeats } from './changed-repeats.ts'
import { costlyHeaders } from './costly-headers.ts'
import { costlyTexts } from './costly-texts.ts'
import { guessing } from './credential-guessing.ts'
import { cursors } from './cursors-beyond-head.ts'
import { encodedValues } from './encoded-values.ts'
import { failedStreams } from './failed-streams.ts'
import { peersAttack } from './federation-peers.ts'
import { fileReaders } from './file-readers.ts'
import { textsInHeaders } from './file-texts-in-response-headers.ts'
import { files } from './files.ts'
import { foreignIds } from './foreign-ids.ts'
import { forwarded } from './forged-forwarded-headers.ts'
import { headersAttack } from './forged-headers.ts'
import { formerMembers } from './former-members.ts'
import { hanging } from './hanging-chain-node.ts'
import { placeLimits } from './input-field-limits.ts'
import { hiddenNames } from './invisible-characters.ts'
import { leftBehind } from './leaks-after-refusals.ts'
import { namesAttack } from './listing-names.ts'
import { logins } from './logins.ts'
import { mailTargets } from './mailbox-limits.ts'
import { messageKinds } from './message-kinds.ts'
import { nesting } from './nesting.ts'
import { ownership } from './ownership.ts'
import { crowding } from './page-rate-limit.ts'
import { paging } from './paging.ts'
import { privacy } from './privacy.ts'
import { longWaits, quotasAttack } from './quotas.ts'
import { races } from './races.ts'
import { reservedNames } from './reserved-names.ts'
import { retainedMemory } from './retained-memory.ts'
import { repeatsAttack } from './reused-keys.ts'
import { rolesAttack } from './roles.ts'
import { senderBudgets } from './sender-rate-limits.ts'
import { clocks } from './signed-times.ts'
import { patterns } from './slow-regexes.ts'
import { statedLimits } from './stated-limits.ts'
import { tamperedStores } from './tampered-stores.ts'
import { tokenScopes } from './token-scopes.ts'
import { buffering, incomplete } from './unauthenticated-buffering.ts'
import { unknownFields } from './unknown-fields.ts'
import { routes } from './unknown-routes.ts'
import { addresses } from './url-parameters.ts'
import { wrongStates } from './wrong-states.ts'

/**
 * `spoils`: what comes after it needs a new installation. `waits`: it sends next to nothing, and goes on beside the others.
 * `isLogged`: lines in which the product says that it has noticed.
 */
export type Attack = {
  readonly name: string
  readonly spoils?: boolean
  readonly waits?: boolean
  readonly isLogged?: RegExp
  run(place: Place): Promise<Fault[]>
}

export const attacks: readonly Attack[] = [
  tokenScopes,
  textsInHeaders,
  unknownFields,
  encodedValues,
  placeLimits,
  senderBudgets,
  failedStreams,
  wrongStates,
  formerMembers,
  quotasAttack,
  peersAttack,
  longWaits,
  addresses,
  hiddenNames,
  ownership,
  fileReaders,
  nesting,
  guessing,
  mailTargets,
  leftBehind,
  rolesAttack,
  foreignIds,
  changedRepeats,
  races,
  paging,
  budgetsAttack,
  statedLimits,
  reservedNames,
  files,
  costlyTexts,
  costlyHeaders,
  patterns,
  retainedMemory,
  headersAttack,
  logins,
  forwarded,
  buffering,
  incomplete,
  cursors,
  repeatsAttack,
  clocks,
  namesAttack,
  messageKinds,
  privacy,
  hanging,
  routes,
  crowding,
  tampering,
  tamperedStores,
]
