/** Referrals to resources that other gateways have admitted. This gateway signs only that it refers to them. */
import { type Admission, type Json, type ResourceQuery, type Rule, readAdmission, type Signer, signReferral } from '@parley/protocol'
import { findBlockingRule, toPolicyRequest } from '../resource/admission-policy.ts'
import type { Resource } from '../resource/resource-states.ts'
import { createPoolIndex } from './pool-index.ts'

export type SignedRecord = { readonly [field: string]: Json }
/** Another gateway that the operator has named. `at`: its address. */
export type GatewayPeer = { readonly did: string; readonly at: string }

export type Referrals = {
  /** Replaces the peer's admissions by the valid ones. Resolves with their number. */
  learn(neighbour: GatewayPeer, received: readonly unknown[]): Promise<number>
  /** Referrals signed now, valid for ten minutes. */
  find(query: ResourceQuery, isFree: (resource: string) => boolean, rules: readonly Rule[]): Promise<SignedRecord[]>
}

export const referralLifeMs = 600_000
const maxOfOne = 5_000

type Known = { readonly admission: Admission; readonly received: SignedRecord; readonly neighbour: GatewayPeer }

export function createReferrals(signer: Signer, now: () => number): Referrals {
  const known = new Map<string, Known>()
  const index = createPoolIndex()
  return {
    async learn(neighbour, received) {
      for (const [key, one] of known)
        if (one.neighbour.did === neighbour.did) {
          known.delete(key)
          index.drop(key)
        }
      let taken = 0
      for (const one of received.slice(0, maxOfOne)) {
        const read = await readAdmission(one, neighbour.did, now())
        if (read.fault !== null) continue
        const key = `${neighbour.did} ${read.value.resource}`
        known.set(key, { admission: read.value, received: one as SignedRecord, neighbour })
        index.put(asResource(key, read.value))
        taken++
      }
      return taken
    },
    async find(query, isFree, rules) {
      const at = now()
      const isSeen = ({ id }: Resource) => {
        const one = known.get(id)
        if (!one || Date.parse(one.admission.expires_at) <= at || !isFree(one.admission.resource)) return false
        return findBlockingRule(rules, toPolicyRequest('retrieve', one.admission), at) === null
      }
      const found = index.find(query, isSeen).flatMap(({ resource }) => known.get(resource.id) ?? [])
      const referrals = found.map(({ admission, received, neighbour }) =>
        signReferral(signer, {
          v: 1,
          to: neighbour.did,
          at: neighbour.at,
          admission: received as { [field: string]: Json },
          issued_at: new Date(at).toISOString(),
          expires_at: new Date(Math.min(at + referralLifeMs, Date.parse(admission.expires_at))).toISOString(),
        }),
      )
      return (await Promise.all(referrals)) as unknown as SignedRecord[]
    },
  }
}

/** A resource for the index, which reads only the searchable fields. */
function asResource(id: string, admission: Admission): Resource {
  const card = { ...admission, endpoint: '', protocol: 'json', skill_names: {} } as unknown as Resource['card']
  return {
    ...{
      id,
      card,
      pool: 'public',
      state: 'admitted',
      reason: '',
      described: null,
      fingerprint: admission.fingerprint,
      failures: 0,
      checks: 0,
    },
    ...{ registeredAt: 0, testedAt: 0, nextTestAt: 0, admission: null },
  }
}
