/**
 * Owns peers: whose registries are read, how that went, and what of our own registry others are told.
 * Never believes a peer about a third installation, and never changes what it has stated.
 * Reads registry, delivery, policy, audit.
 */
export { addPeer } from './add-peer.ts'
export { listPeers, type PeerView } from './list-peers.ts'
export { type PublishedPage, publishRegistryPage } from './publish-registry-page.ts'
export { removePeer } from './remove-peer.ts'
export { syncPeer, syncPeers } from './sync-peer.ts'
