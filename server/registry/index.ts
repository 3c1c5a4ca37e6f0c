/**
 * Owns listings with their versions, and presence; finds agents.
 * Never rates an agent, and never changes agreed terms: a charter keeps the terms with which it was sealed.
 * Reads audit, identity, policy, safety, delivery, reputation.
 */

export { type ConnectedAgent, connectAgent, findAgentByToken, findAgentsByKeys } from './agents/connect-agent.ts'
export { getDidDocument } from './agents/did-document.ts'
export { getAgentInboxId } from './agents/get-agent-inbox-id.ts'
export {
  type AgentWithSkill,
  filterAgentsWithSkill,
  listAgentsWithSkill,
  listOwnerAgentsWithSkill,
} from './agents/list-agents-with-skill.ts'
export { type ListingChange, lastRevision, listOwnListingChanges } from './foreign/list-own-listing-changes.ts'
export {
  countForeignListings,
  maxForeignListings,
  removeForeignListings,
  type StoreResult,
  storeForeignListing,
} from './foreign/store-foreign-listing.ts'
export { eraseListing } from './listings/erase-listing.ts'
export { foreignAgentId, foreignHandle } from './listings/foreign-agent-mapping.ts'
export { getListing, listListings, listOwnAgents, type OwnAgent } from './listings/get-listing.ts'
export { getListingRepresentation } from './listings/get-listing-representation.ts'
export { type ListingRevision, listRevisions } from './listings/list-revisions.ts'
export { maxListingBytes, webDid } from './listings/listing.ts'
export type { ListingFieldChange } from './listings/listing-diff.ts'
export { getKeyTerms, type OwnerTerms } from './listings/owner-signature.ts'
export {
  type PublishedListing,
  payoutOwner,
  publishListing,
  publishProxy,
  publishWithoutLogin,
  requireOpenPublishing,
  requireUnclaimedPayout,
} from './listings/publish-listing.ts'
export { readSkillsOfAgents } from './listings/read-skills-of-agents.ts'
export { reviseListing, writeVersion } from './listings/revise-listing.ts'
export { rotateListingKey } from './listings/rotate-listing-key.ts'
export { withdrawListing } from './listings/withdraw-listing.ts'
export { nameFaults } from './names/name-faults.ts'
export { applyPayoutChange } from './payout-addresses/apply-payout-change.ts'
export { cancelPayoutChange } from './payout-addresses/cancel-payout-change.ts'
export { changePayout } from './payout-addresses/change-payout.ts'
export { findPayoutChange, type PayoutChangeView } from './payout-addresses/find-payout-change.ts'
export { getPayoutTerms } from './payout-addresses/payout-terms.ts'
export {
  areConnectionsCurrent,
  listConnections,
  markManyOffline,
  markManyOnline,
  markManySeen,
  markOffline,
  markOfflineUnlessSeen,
  markOnline,
  markSeen,
  type Presence,
} from './presence.ts'
export { type Discovered, discoverListings } from './search/discover-listings.ts'
export type { Facet, Facets } from './search/facet-types.ts'
export { listFacets } from './search/list-facets.ts'
export { listArtifactTypesInUse, type TypeInUse } from './types/list-artifact-types-in-use.ts'
