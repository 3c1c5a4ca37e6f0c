/** The public exports for gateway agents, rules and memory, by name. */

export { EraseListing } from './commands.ts'
export { type ContentTag, contentTags, contentTagsIn } from './content-tags.ts'
export {
  EraseArtifact,
  Erased,
  EraseEntry,
  EraseMessage,
  type ErasureRequester,
  erasureRequesters,
  hashAfter,
  MessageNumber,
  readErased,
  tombstoneKind,
} from './erasure.ts'
export {
  Admission,
  type AdmissionDraft,
  type CardDraft,
  controlBytes,
  controlPath,
  Endpoint,
  gatewayRequestBytes,
  maxAdmissionLifeMs,
  maxCardBytes,
  nameOfSkill,
  type Read,
  Referral,
  type ReferralDraft,
  ResourceCard,
  type ResourceProtocol,
  ResourceQuery,
  readAdmission,
  readCard,
  readReferral,
  resourceProtocols,
  signAdmission,
  signCard,
  signReferral,
} from './gateway-resource.ts'
export { EraseMemory, MemoryNote, maxNoteBytes, maxNotes, ReadMemory, WriteMemory } from './memory-commands.ts'
export { ListingProxy, OpenProxy, proxyFault } from './proxy-listing.ts'
export {
  type Decision,
  evaluateRules,
  Host,
  hasContentTagRule,
  isInForce,
  type PolicyRequest,
  Region,
  type ResourceKind,
  Rule,
  RuleDraft,
  type RulePoint,
  RuleSubject,
  resourceKinds,
  rulePoints,
} from './rule.ts'
export { CreateRule, PoolEntry, type PoolState, poolStates, ReportPool, RevokeRule } from './rule-commands.ts'
