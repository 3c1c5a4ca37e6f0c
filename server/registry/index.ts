/**
 * Owns listings with their versions, and who is there; it answers what agents are on offer.
 * Never judges an agent, and never says what a team agreed: a charter keeps the terms it was sealed with.
 * Reads audit, identity, policy, safety, delivery, reputation.
 */

export { applyPayout } from './apply-payout.ts'
export { changePayout } from './change-payout.ts'
export { type ConnectedAgent, connectAgent, findAgentByToken, findAgentsByKeys } from './connect-agent.ts'
export { getDidDocument } from './did-document.ts'
export { type Discovered, discoverListings } from './discover-listings.ts'
export { eraseListing } from './erase-listing.ts'
export { findPayoutChange, type PayoutChangeView } from './find-payout-change.ts'
export { countForeign, dropForeign, type Kept, keepForeign, maxForeignListings } from './foreign-listing.ts'
export { getInbox, listAgentsOf, listOfferedBy, listOffering, type OfferingAgent } from './get-inbox.ts'
export { getListing, listListings, listOwnAgents, type OwnAgent } from './get-listing.ts'
export { foreignAgentId, foreignHandle } from './home.ts'
export { keepPayout } from './keep-payout.ts'
export { type ListingChange, lastRevision, listChanges } from './list-changes.ts'
export { type Facet, type Facets, listFacets } from './list-facets.ts'
export { listRevisions, type Revision } from './list-revisions.ts'
export { webDid } from './listing.ts'
export { getListingTwin } from './listing-twin.ts'
export { nameFaults } from './names.ts'
export { getKeyTerms, getPayoutTerms, type OwnerTerms } from './owner-terms.ts'
export {
  areCurrent,
  listConnections,
  markOffline,
  markOfflineTogether,
  markOnline,
  markOnlineTogether,
  markSeen,
  markSeenTogether,
  type Presence,
} from './presence.ts'
export { type Published, payoutOwner, publishFront, publishListing, publishWithoutLogin, requireLoginFree } from './publish-listing.ts'
export { rekeyListing } from './rekey-listing.ts'
export { reviseListing, writeVersion } from './revise-listing.ts'
export type { Change } from './revision.ts'
export { withdrawListing } from './withdraw-listing.ts'
