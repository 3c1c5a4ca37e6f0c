import { createHash } from 'node:crypto'
import { canonicalBytes, type Json, ListingDraft } from '@parley/protocol'

/**
 * A version without the publisher's text. What others rely on remains: handle, payees, and the ids, types and prices of the skills. The
 * hash of the original proves a copy that someone kept. Pure and idempotent.
 */
export function toErasedListing(body: unknown): ListingDraft {
  const draft = ListingDraft.parse(body)
  if (typeof draft.erased_sha256 === 'string') return draft
  const { handle, skills, payout, royalties, policy } = draft
  return {
    handle,
    name: 'Erased',
    summary: 'Its words were erased at its owner’s wish.',
    readme: '',
    skills: skills.map(({ id, inputs, outputs, price }) => ({
      ...{ id, name: id.slice(0, 80), description: '', price, tags: [], samples: [] },
      inputs: inputs.map(({ name, type, optional }) => ({ name, type, optional, description: '' })),
      outputs: outputs.map(({ name, type, optional }) => ({ name, type, optional, description: '' })),
    })),
    payout,
    ...(royalties && { royalties }),
    policy: { data_use: '', max_concurrency: policy.max_concurrency },
    erased_sha256: createHash('sha256')
      .update(canonicalBytes(body as Json))
      .digest('hex'),
  }
}
