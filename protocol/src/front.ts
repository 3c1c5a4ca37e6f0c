/**
 * Fronts: listings under which a resource that no market lists is hired and paid. The gateway agent that has admitted the
 * resource speaks for it. @see SPEC.md#fronts
 */
import { z } from 'zod'
import { Did, KeyDid, WebDid } from './did.ts'
import { AgentId } from './id.ts'
import { Region, resourceKinds } from './rule.ts'
import { poolStates } from './rule-commands.ts'

/** A gateway agent puts a resource of its public pool on offer. What is offered is what its admission says; repeating it revises. */
export const OpenFront = z.looseObject({ type: z.literal('front.open'), resource: KeyDid })
export type OpenFront = z.infer<typeof OpenFront>

/** What stands behind a listing that is a front, as the server knows it: no publisher can write it. */
export const ListingFront = z.looseObject({
  resource: KeyDid.describe('The key of whoever does the work.'),
  kind: z.enum(resourceKinds),
  operator: Did.describe('Who answers for the resource, and is paid.'),
  region: Region.optional(),
  gateway: z.looseObject({ agent_id: AgentId, handle: z.string().max(240), did: z.union([KeyDid, WebDid]) }).describe('Who has tested it.'),
  state: z.enum(poolStates),
  admitted_until: z.iso.datetime().nullable().describe('Until when the gateway vouches for it. Null: it does not.'),
})
export type ListingFront = z.infer<typeof ListingFront>

/** Why what stands behind a front may be given no work now, as a sentence; null where it may. `now`: Unix milliseconds. */
export function frontFault(front: ListingFront | undefined, now: number): string | null {
  if (!front) return null
  const { state, admitted_until: until, gateway, resource } = front
  if ((state === 'admitted' || state === 'demoted') && until !== null && Date.parse(until) > now) return null
  return `${gateway.handle} does not admit ${resource} now. It is ${state === 'admitted' ? 'no longer tested' : state}.`
}
