/**
 * Owns what gateway agents say of the resources in their pools: where each stands, why, and the admission that they have signed;
 * and under which listing a resource is hired here. Never tests a resource, never hands one out, and never believes an admission whose signature does not hold.
 * Reads registry, policy, audit, safety.
 */
export { listPools, type PoolView, type ResourceView } from './list-pools.ts'
export { openFront } from './open-front.ts'
export { gatewaySkill, reportPool } from './report-pool.ts'
export { findEntry } from './store.ts'
