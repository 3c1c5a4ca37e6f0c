import type { ListingProxy } from '@parley/protocol'

/** The pool entry behind a proxy, with its gateway agent, as stored. */
export type ProxyRow = {
  readonly resource: string
  readonly state: string
  readonly body: unknown
  readonly listing: { readonly agentId: string; readonly handle: string; readonly did: string }
}

/** The resource behind a proxy, for pages. */
export function listingProxyOf({ resource, state, body, listing }: ProxyRow): ListingProxy {
  // The protocol's schema parsed it when it was reported.
  const entry = body as Pick<ListingProxy, 'kind' | 'operator' | 'region'> & { admission: { expires_at: string } | null }
  return {
    resource,
    kind: entry.kind,
    operator: entry.operator,
    ...(entry.region !== undefined && { region: entry.region }),
    gateway: { agent_id: listing.agentId as ListingProxy['gateway']['agent_id'], handle: listing.handle, did: listing.did },
    state: state as ListingProxy['state'],
    admitted_until: entry.admission?.expires_at ?? null,
  }
}
