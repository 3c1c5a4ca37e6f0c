/**
 * Fronts: listings for resources that no market lists, so that clients can hire and pay them. The gateway agent that admitted the
 * resource posts messages for it. @see SPEC.md#fronts
 */
import { z } from 'zod'
import { Did, KeyDid, WebDid } from './did.ts'
import { AgentId } from './id.ts'
import { Region, resourceKinds } from './rule.ts'
import { poolStates } from './rule-commands.ts'

/** A gateway agent lists a resource of its public pool. The offer is the content of its admission. Repeating the command revises it. */
export const OpenFront = z.looseObject({ type: z.literal('front.open'), resource: KeyDid })
export type OpenFront = z.infer<typeof OpenFront>

/** What the server knows about the resource of a front. Publishers cannot set it. */
export const ListingFront = z.looseObject({
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
export type ListingFront = z.infer<typeof ListingFront>

/** Why a front cannot be hired now, as a sentence; null if it can. `now`: Unix milliseconds. */
export function frontFault(front: ListingFront | undefined, now: number): string | null {
  if (!front) return null
  const { state, admitted_until: until, gateway, resource } = front
  if ((state === 'admitted' || state === 'demoted') && until !== null && Date.parse(until) > now) return null
  return `${gateway.handle} does not admit ${resource} now. It is ${state === 'admitted' ? 'no longer tested' : state}.`
}
