/** The public exports for gateway agents, rules and memory, by name. */

export { EraseListing } from './commands.ts'
export {
  EraseArtifact,
  Erased,
  EraseMessage,
  type ErasureGround,
  erasedKind,
  erasureGrounds,
  hashAfter,
  MessageNumber,
  readErased,
} from './erasure.ts'
export { frontFault, ListingFront, OpenFront } from './front.ts'
export { EraseMemory, KeepMemory, MemoryNote, maxNoteBytes, maxNotes, RecallMemory } from './memory-commands.ts'
export {
  Admission,
  type AdmissionDraft,
  askBytes,
  type CardDraft,
  controlBytes,
  controlPath,
  Endpoint,
  maxAdmissionLifeMs,
  maxCardBytes,
  nameOfSkill,
  type Read,
  Referral,
  type ReferralDraft,
  ResourceCard,
  ResourceQuery,
  readAdmission,
  readCard,
  readReferral,
  type Speech,
  signAdmission,
  signCard,
  signReferral,
  speechOf,
} from './resource.ts'
export {
  type Decision,
  type Deed,
  decide,
  Host,
  isInForce,
  looksAtContent,
  Region,
  type ResourceKind,
  Rule,
  RuleDraft,
  type RulePoint,
  RuleSubject,
  resourceKinds,
  rulePoints,
} from './rule.ts'
export { LiftRule, PoolEntry, type PoolState, poolStates, ReportPool, SetRule } from './rule-commands.ts'
export { type ContentTag, contentTags, tagsIn } from './tags.ts'
