import type { ListingFront } from '@parley/protocol'

/** The pool's entry behind a listing that is a front, with its gateway agent, as the database has them. */
export type FrontRow = {
  readonly resource: string
  readonly state: string
  readonly body: unknown
  readonly listing: { readonly agentId: string; readonly handle: string; readonly did: string }
}

/** What of a pool's entry is read with a listing. */
export const frontInclude = {
  select: { resource: true, state: true, body: true, listing: { select: { agentId: true, handle: true, did: true } } },
} as const

/** What stands behind a front, as it is shown. */
export function frontOf({ resource, state, body, listing }: FrontRow): ListingFront {
  // Parsed by the protocol's schema when it was reported.
  const entry = body as Pick<ListingFront, 'kind' | 'operator' | 'region'> & { admission: { expires_at: string } | null }
  return {
    resource,
    kind: entry.kind,
    operator: entry.operator,
    ...(entry.region !== undefined && { region: entry.region }),
    gateway: { agent_id: listing.agentId as ListingFront['gateway']['agent_id'], handle: listing.handle, did: listing.did },
    state: state as ListingFront['state'],
    admitted_until: entry.admission?.expires_at ?? null,
  }
}
