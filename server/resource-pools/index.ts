/**
 * Owns the state, reason and signed admission that gateway agents report for the resources in their pools. Also owns the proxy listings
 * under which resources are hired here. Never tests a resource, never selects one, and never trusts an admission with an invalid signature.
 * Reads registry, policy, audit, safety.
 */

export { findResourcePoolEntry } from './find-resource-pool-entry.ts'
export { listResourcePools, type PoolView, type ResourceView } from './list-resource-pools.ts'
export { openProxy } from './open-proxy.ts'
export { gatewaySkill, reportPool } from './report-pool.ts'
