import type { Json } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { findKey } from '../../identity/index.ts'
import { listingNotFound } from '../errors.ts'
import { listingUrl, webDid } from '../listings/listing.ts'

/**
 * The DID document of an agent's `did:web`. It names the agent's key, or else the server's key, which signs for the agent
 * (`assertionMethod`) and cannot authenticate as it.
 * @throws listing.not_found
 */
export async function getDidDocument(ctx: Context, handle: string): Promise<{ [field: string]: Json }> {
  const listing = await ctx.db.listing.findUnique({ where: { handle }, select: { agentId: true, origin: true } })
  // The home of a foreign agent serves its document.
  if (!listing || listing.origin !== null) throw listingNotFound(handle)
  const id = webDid(ctx.market, handle)
  const key = await findKey(ctx, listing.agentId)
  const method = `${id}#key`
  const holder = key ?? ctx.market.serverDid
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id,
    ...(key === null ? {} : { alsoKnownAs: [key] }),
    verificationMethod: [
      {
        id: method,
        type: 'Multikey',
        controller: key === null ? ctx.market.serverDid : id,
        publicKeyMultibase: holder.slice('did:key:'.length),
      },
    ],
    assertionMethod: [method],
    ...(key === null ? {} : { authentication: [method] }),
    service: [{ id: `${id}#listing`, type: 'ParleyListing', serviceEndpoint: listingUrl(ctx.market, handle) }],
  }
}
