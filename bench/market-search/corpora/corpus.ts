/** A public corpus as a market: its tools or packages as listings, its requests as queries. */
import { createHash } from 'node:crypto'
import { noStanding, type SourceListing } from '../../../server/search/index/index-record.ts'
import { idOf, marketDay } from '../synthetic-listings.ts'

/** `relevant`: the agents that the query needs. `isHard`: few of its words occur in the relevant listing. */
export type CorpusQuery = { readonly text: string; readonly relevant: readonly string[]; readonly isHard: boolean }
export type Corpus = {
  readonly name: string
  readonly listings: readonly SourceListing[]
  readonly queries: readonly CorpusQuery[]
}

export type CorpusText = {
  readonly name: string
  readonly summary?: string
  readonly skillName?: string
  readonly description?: string
  readonly tags?: readonly string[]
}

/** A listing of an agent without a record. Each has an owner of its own. */
export function corpusListing(
  position: number,
  { name, summary = '', skillName = '', description = '', tags = [] }: CorpusText,
): SourceListing {
  const agentId = idOf(position)
  return {
    ...{
      agentId,
      ownerId: agentId,
      payout: agentId,
      payoutSince: marketDay - 86_400_000,
      publishedAt: marketDay - 86_400_000,
      textSince: marketDay - 86_400_000,
      expiresAt: null,
      stamp: '1',
    },
    ...{ attributes: [], standing: noStanding, presence: { seenAt: marketDay, hasLeft: false } },
    ...{ handle: '', name, summary },
    skills: [{ id: '', name: skillName, description, price: 1_000_000n, inputTypes: [], outputTypes: [], tags }],
  }
}

/** FNV-1a over UTF-16 units, which splits corpora the same way on every machine. */
export { hashText } from '../../../server/search/text/minhash-signature.ts'

/** At most `max` queries, in the order of a hash of their texts. So the sample does not depend on the order of the file. */
export function sampleQueries(queries: readonly CorpusQuery[], max: number): CorpusQuery[] {
  const keyed = queries.map((query) => ({ query, key: createHash('sha256').update(query.text).digest('hex') }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return keyed.slice(0, max).map(({ query }) => query)
}

/** Words of an identifier: `getFilmDetails` is "get Film Details". */
export function splitIdentifier(text: string): string {
  return text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_/.-]+/g, ' ')
}
