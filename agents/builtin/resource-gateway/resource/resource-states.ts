/** The states of a resource and their transitions. The caller passes the time. */
import type { Json, ResourceCard } from '@parley/protocol'
import type { ResourceDescription } from '../adapters/resource-adapter.ts'

export const resourceStates = ['testing', 'admitted', 'drifted', 'demoted', 'evicted'] as const
export type ResourceState = (typeof resourceStates)[number]

/**
 * `testing`: the first tests run. `admitted`: found and handed out. `drifted`: it changed, and is not handed out until it passes
 * again. `demoted`: it failed a test; ranked last, and on probation. `evicted`: removed until it registers again.
 */
export type Resource = {
  readonly id: string
  readonly card: ResourceCard
  readonly pool: 'public' | 'private'
  readonly state: ResourceState
  /** Reason of the state, a sentence. */
  readonly reason: string
  readonly described: ResourceDescription | null
  readonly fingerprint: string
  /** Failed tests since the last pass. */
  readonly failures: number
  readonly checks: number
  readonly registeredAt: number
  readonly testedAt: number
  readonly nextTestAt: number
  /** The signed admission; null if there is none. */
  readonly admission: { readonly [field: string]: Json } | null
}

export type TestResult =
  | { readonly kind: 'passed'; readonly checks: number; readonly described: ResourceDescription; readonly fingerprint: string }
  /** `grave`: it deceived, obeyed an injection or leaked data. One such failure evicts it. */
  | { readonly kind: 'failed'; readonly reason: string; readonly grave: boolean }
  | { readonly kind: 'changed'; readonly reason: string }
  | { readonly kind: 'denied'; readonly reason: string }

export const retestEveryMs = 3_600_000
/** Interval of tests after a failure. */
export const probationMs = 300_000
/** Consecutive failures after which a resource is evicted. */
export const maxFailures = 3
export const admissionLifeMs = 2 * retestEveryMs

/** The resource after a test result. An evicted resource stays evicted. */
export function advanceResource(resource: Resource, finding: TestResult, now: number): Resource {
  if (resource.state === 'evicted') return resource
  const moved = { ...resource, testedAt: now }
  switch (finding.kind) {
    case 'passed': {
      const { checks, described, fingerprint } = finding
      const reason = `It passed ${checks} checks.`
      return { ...moved, state: 'admitted', reason, checks, described, fingerprint, failures: 0, nextTestAt: now + retestEveryMs }
    }
    case 'changed':
      return { ...moved, state: 'drifted', reason: finding.reason, admission: null, nextTestAt: now }
    case 'denied':
      return { ...moved, state: 'evicted', reason: finding.reason, admission: null }
    case 'failed': {
      const failures = resource.failures + 1
      const isOut = finding.grave || failures >= maxFailures || resource.state === 'testing' || resource.state === 'drifted'
      const state = isOut ? 'evicted' : 'demoted'
      return {
        ...moved,
        state,
        reason: finding.reason,
        failures,
        admission: isOut ? null : resource.admission,
        nextTestAt: now + probationMs,
      }
    }
    default:
      return finding satisfies never
  }
}

/** Whether the resource is handed out now. */
export const isAvailable = (resource: Resource, now: number): boolean =>
  (resource.state === 'admitted' || resource.state === 'demoted') &&
  resource.admission !== null &&
  resource.testedAt + admissionLifeMs > now
