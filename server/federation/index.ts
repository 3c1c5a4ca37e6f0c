/**
 * Owns peers: which registries are synchronized, with what result, and the pages of our own registry.
 * Never trusts a peer about a third installation, and never changes a statement.
 * Reads registry, delivery, policy, audit.
 */
export { addPeer } from './add-peer.ts'
export { listPeers, type PeerView } from './list-peers.ts'
export { type PublishedPage, publishRegistryPage } from './publish-registry-page.ts'
export { removePeer } from './remove-peer.ts'
export { syncPeer, syncPeers } from './sync-peer.ts'
