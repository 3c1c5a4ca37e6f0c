/** Attacks that are more than one changed place: several requests, or none that is complete. */

import type { Fault } from '../edge/oracles.ts'
import type { Place } from '../operations/operations.ts'
import { addresses } from './addresses.ts'
import { budgetsAttack } from './budgets.ts'
import { buffering, incomplete } from './buffering.ts'
import { changedRepeats } from './changed-repeats.ts'
import { clocks } from './clocks.ts'
import { costlyHeaders } from './costly-headers.ts'
import { costlyTexts } from './costly-texts.ts'
import { crowding } from './crowding.ts'
import { cursors } from './cursors.ts'
import { encodedValues } from './encoded-values.ts'
import { failedStreams } from './failed-streams.ts'
import { fileReaders } from './file-readers.ts'
import { files } from './files.ts'
import { foreignIds } from './foreign-ids.ts'
import { formerMembers } from './former-members.ts'
import { forwarded } from './forwarded.ts'
import { guessing } from './guessing.ts'
import { hanging } from './hanging.ts'
import { headersAttack } from './headers.ts'
import { hiddenNames } from './hidden-names.ts'
import { logins } from './logins.ts'
import { mailTargets } from './mail-targets.ts'
import { messageKinds } from './message-kinds.ts'
import { namesAttack } from './names.ts'
import { nesting } from './nesting.ts'
import { ownership } from './ownership.ts'
import { paging } from './paging.ts'
import { patterns } from './patterns.ts'
import { peersAttack } from './peers.ts'
import { placeLimits } from './place-limits.ts'
import { privacy } from './privacy.ts'
import { longWaits, quotasAttack } from './quotas.ts'
import { races } from './races.ts'
import { leftBehind } from './refusals.ts'
import { repeatsAttack } from './repeats.ts'
import { reservedNames } from './reserved-names.ts'
import { retainedMemory } from './retained-memory.ts'
import { rolesAttack } from './roles.ts'
import { routes } from './routes.ts'
import { senderBudgets } from './sender-budgets.ts'
import { statedLimits } from './stated-limits.ts'
import { tamperedStores } from './tampered-stores.ts'
import { tampering } from './tampering.ts'
import { textsInHeaders } from './texts-in-headers.ts'
import { tokenScopes } from './token-scopes.ts'
import { unknownFields } from './unknown-fields.ts'
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
