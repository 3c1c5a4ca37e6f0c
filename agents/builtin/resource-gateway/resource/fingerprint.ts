/** A SHA-256 fingerprint of a resource's card and description, to detect drift. */
import { createHash } from 'node:crypto'
import { canonicalize, type Json, type ResourceCard } from '@parley/protocol'
import type { ResourceDescription } from '../adapters/resource-adapter.ts'

export function computeFingerprint(card: ResourceCard, described: ResourceDescription): string {
  const { sig: _, issued_at: __, ...content } = card
  const offers = described.offers.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, text, schema }) => ({ name, text, schema }))
  return createHash('sha256')
    .update(canonicalize({ card: content as unknown as Json, version: described.version, offers: offers as unknown as Json }))
    .digest('base64url')
}

/** The differences between two descriptions as a sentence; null if there is none. */
export function describeDrift(before: ResourceDescription, after: ResourceDescription): string | null {
  const was = new Map(before.offers.map((offer) => [offer.name, canonicalize(offer as unknown as Json)]))
  const now = new Map(after.offers.map((offer) => [offer.name, canonicalize(offer as unknown as Json)]))
  const gone = [...was.keys()].filter((name) => !now.has(name))
  const added = [...now.keys()].filter((name) => !was.has(name))
  const other = [...now].filter(([name, text]) => was.has(name) && was.get(name) !== text).map(([name]) => name)
  const parts = [
    ...(gone.length > 0 ? [`no longer offers ${gone.join(', ')}`] : []),
    ...(added.length > 0 ? [`offers ${added.join(', ')} besides`] : []),
    ...(other.length > 0 ? [`describes ${other.join(', ')} in other words`] : []),
    ...(before.version !== after.version ? [`calls itself ${after.version || 'nothing'}, before ${before.version || 'nothing'}`] : []),
  ]
  return parts.length > 0 ? `It ${parts.join('; ')}.` : null
}
