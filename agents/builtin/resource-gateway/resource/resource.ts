/** Where a resource stands with a gateway, and what moves it. Pure: whoever asks brings the time. */
import type { Json, ResourceCard } from '@parley/protocol'
import type { ResourceDescription } from '../adapters/resource-adapter.ts'

export const resourceStates = ['testing', 'admitted', 'drifted', 'demoted', 'evicted'] as const
export type ResourceState = (typeof resourceStates)[number]

/**
 * `testing`: first tests are under way. `admitted`: found and handed out. `drifted`: it is not what was admitted, and is handed
 * out no more until it has passed again. `demoted`: it failed a test lately; found after all others, and on probation.
 * `evicted`: out, until it registers anew.
 */
export type Resource = {
  readonly id: string
  readonly card: ResourceCard
  readonly pool: 'public' | 'private'
  readonly state: ResourceState
  /** Why it stands there: a sentence. */
  readonly reason: string
  readonly described: ResourceDescription | null
  readonly fingerprint: string
  /** Tests failed since it last passed. */
  readonly failures: number
  readonly checks: number
  readonly registeredAt: number
  readonly testedAt: number
  readonly nextTestAt: number
  /** Its admission as signed; null while it has none. */
  readonly admission: { readonly [field: string]: Json } | null
}

export type TestResult =
  | { readonly kind: 'passed'; readonly checks: number; readonly described: ResourceDescription; readonly fingerprint: string }
  /** `grave`: it lied, obeyed a stranger, or gave something away: no second chance. */
  | { readonly kind: 'failed'; readonly reason: string; readonly grave: boolean }
  | { readonly kind: 'changed'; readonly reason: string }
  | { readonly kind: 'denied'; readonly reason: string }

export const retestEveryMs = 3_600_000
/** After a failure it is looked at again sooner. */
export const probationMs = 300_000
/** Failures in a row after which a resource is out. */
export const maxFailures = 3
export const admissionLifeMs = 2 * retestEveryMs

/** How a finding moves a resource. An evicted one stays out. */
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

/** Whether it is handed out now. */
export const isAvailable = (resource: Resource, now: number): boolean =>
  (resource.state === 'admitted' || resource.state === 'demoted') &&
  resource.admission !== null &&
  resource.testedAt + admissionLifeMs > now
