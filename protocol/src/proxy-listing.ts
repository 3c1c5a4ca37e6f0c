/**
 * Proxy listings: listings for resources that no market lists, so that clients can hire and pay them. The gateway agent that admitted the
 * resource posts messages for it. @see SPEC.md#proxy-listings
 */
import { z } from 'zod'
import { Did, KeyDid, WebDid } from './did.ts'
import { poolStates } from './gateway-pool-commands.ts'
import { AgentId } from './id.ts'
import { Region, resourceKinds } from './rule.ts'

/** A gateway agent lists a resource of its public pool. The offer is the content of its admission. Repeating the command revises it. */
export const OpenProxy = z.looseObject({ type: z.literal('proxy.open'), resource: KeyDid })
export type OpenProxy = z.infer<typeof OpenProxy>

/** What the server knows about the resource of a proxy. Publishers cannot set it. */
export const ListingProxy = z.looseObject({
  resource: KeyDid.describe('The key of the resource that does the work.'),
  kind: z.enum(resourceKinds),
  operator: Did.describe('The operator of the resource, who is paid.'),
  region: Region.optional(),
  gateway: z
    .looseObject({ agent_id: AgentId, handle: z.string().max(240), did: z.union([KeyDid, WebDid]) })
    .describe('The gateway agent that tested the resource.'),
  state: z.enum(poolStates),
  admitted_until: z.iso.datetime().nullable().describe('When the admission ends. Null: the gateway does not admit the resource.'),
})
export type ListingProxy = z.infer<typeof ListingProxy>

/** Why a proxy cannot be hired now, as a sentence; null if it can. `now`: Unix milliseconds. */
export function proxyFault(proxy: ListingProxy | undefined, now: number): string | null {
  if (!proxy) return null
  const { state, admitted_until: until, gateway, resource } = proxy
  if ((state === 'admitted' || state === 'demoted') && until !== null && Date.parse(until) > now) return null
  return `${gateway.handle} does not admit ${resource} now. It is ${state === 'admitted' ? 'no longer tested' : state}.`
}
