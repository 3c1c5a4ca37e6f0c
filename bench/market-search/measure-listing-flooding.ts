/**
 * Flooding: fifty listings of one wallet, or of fifty wallets, take the text of an honest listing over: cloned, tiled (repeated), or
 * paraphrased. How often the honest agent stays among the first five.
 */
import { noStanding, type SourceListing, toIndexRecord } from '../../server/search/index/index-record.ts'
import { createListingIndex, finishLoading, type ListingIndex, putRecord, removeListing } from '../../server/search/index/listing-index.ts'
import { readLocalEmbedder } from '../../server/search/meaning/local-embedder.ts'
import { createScratch, searchListings } from '../../server/search/query/search-listings.ts'
import type { RankingTerms } from '../../server/search/query/search-query.ts'
import { createRandom, idOf, listingOf, marketDay, type Random } from './synthetic-listings.ts'

/** `queries`: those whose first five contain the honest agent without a flood. */
type FloodFigure = { readonly queries: number; readonly top_five: number; readonly max_of_flood_in_ten: number }
export type FloodFigures = { readonly [scenario: string]: FloodFigure }

const embedder = readLocalEmbedder()
const copies = 50
const marketSize = 5_000
const terms: RankingTerms = {
  ...{ now: marketDay, prior: 70, priorWeight: 3, idleAfterMs: 60_000, offlineAfterMs: 300_000 },
  hiddenAfterMs: 30 * 86_400_000,
}

/** What a paraphrase writes instead. */
const synonyms = new Map(
  `translates=renders checks=verifies writes=composes draws=sketches compares=contrasts predicts=forecasts summarises=condenses
  classifies=sorts extracts=pulls plans=organises schedules=arranges cleans=tidies explains=clarifies monitors=watches repairs=fixes
  reviews=inspects converts=transforms generates=produces ranks=orders simulates=models proofreads=corrects negotiates=bargains
  catalogues=lists benchmarks=measures fast=quick careful=diligent legal=juridical annual=yearly medical=clinical short=brief long=extended
  public=open private=confidential large=big small=little multilingual=polyglot historical=past daily=everyday scientific=scholarly
  technical=engineering friendly=kind formal=official accurate=precise local=regional companies=firms sources=references hour=moment
  plain=simple language=words table=grid report=document beginners=novices second=additional check=verification request=demand
  scanned=photographed documents=papers teams=groups personal=individual data=information files=archives texts=writings`
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
)

const attacks: { readonly [name: string]: (text: string, random: Random) => string } = {
  cloned: (text) => text,
  tiled: (text) => `${text} ${text} ${text}`,
  paraphrased: (text, random) => paraphrase(text, random),
}

function paraphrase(text: string, random: Random): string {
  const sentences = text.split('. ').filter(() => random(10) > 0)
  const shuffled = sentences.toSorted(() => random(3) - 1)
  return shuffled
    .join('. ')
    .replace(/[a-z]+/g, (word) => (random(10) < 8 ? (synonyms.get(word) ?? word) : word))
    .replace(/^/, random.pick(['Excellent: ', 'Best offer. ', 'New! ', '']))
}

/** `queries`: how many for each kind of flood. */
export function measureListingFlooding(queries: number): FloodFigures {
  const index = createListingIndex(embedder)
  index.isLoading = true
  for (let n = 0; n < marketSize; n++) putRecord(index, toIndexRecord(listingOf(n, 'bench'), embedder))
  for (const _ of finishLoading(index));
  const scenarios = Object.keys(attacks).flatMap((attack) => ['one_wallet', 'fifty_wallets'].map((wallets) => [attack, wallets] as const))
  return Object.fromEntries(
    scenarios.map(([attack, wallets]) => [
      `${attack}_${wallets}`,
      runScenario(index, { attack, isOneWallet: wallets === 'one_wallet', queries }),
    ]),
  )
}

type Scenario = { readonly attack: string; readonly isOneWallet: boolean; readonly queries: number }

function runScenario(index: ListingIndex, { attack, isOneWallet, queries }: Scenario): FloodFigure {
  const random = createRandom(attack.length * 31 + (isOneWallet ? 1 : 2))
  const scratch = createScratch()
  let [kept, asked, max] = [0, 0, 0]
  for (let n = 0; asked < queries && n < 10 * queries; n++) {
    const honest = honestListing(marketSize + n)
    const text = queryFor(honest, random)
    const first = () => searchListings(index, { sort: 'relevance', limit: 10, terms, text }, scratch).hits.map((hit) => hit.agentId)
    putRecord(index, toIndexRecord(honest, embedder))
    // A query that does not find the honest agent without a flood is no evidence.
    if (first().slice(0, 5).includes(honest.agentId)) {
      asked++
      const flood = floodOf(honest, { attack, isOneWallet, random, from: 1_000_000 + n * copies })
      for (const one of flood) putRecord(index, toIndexRecord(one, embedder))
      const found = first()
      const isFlood = new Set(flood.map((one) => one.agentId))
      if (found.slice(0, 5).includes(honest.agentId)) kept++
      max = Math.max(max, found.filter((id) => isFlood.has(id)).length)
      for (const { agentId } of flood) removeListing(index, agentId)
    }
    removeListing(index, honest.agentId)
  }
  return { queries: asked, top_five: Number((kept / asked).toFixed(3)), max_of_flood_in_ten: max }
}

/** A new agent without a record, as the flood's are. All are online. */
function honestListing(n: number): SourceListing {
  return {
    ...listingOf(n, 'bench'),
    standing: noStanding,
    presence: { seenAt: marketDay, hasLeft: false },
    payoutSince: marketDay - 86_400_000,
    publishedAt: marketDay - 86_400_000,
    textSince: marketDay - 86_400_000,
  }
}

/** Some words of the honest listing, as a client who needs such an agent would write. */
function queryFor({ summary, skills }: SourceListing, random: Random): string {
  const words = `${summary} ${skills.map((skill) => `${skill.name} ${skill.description}`).join(' ')}`.match(/[\p{L}]{4,}/gu) ?? []
  return Array.from({ length: 4 + random(4) }, () => random.pick(words)).join(' ')
}

type Flood = { readonly attack: string; readonly isOneWallet: boolean; readonly random: Random; readonly from: number }

function floodOf(honest: SourceListing, { attack, isOneWallet, random, from }: Flood): SourceListing[] {
  const change = attacks[attack] as (text: string, random: Random) => string
  return Array.from({ length: copies }, (_, index) => {
    const wallet = isOneWallet ? 'flood' : `flood-${from + index}`
    return {
      ...honest,
      ...{
        agentId: idOf(from + index),
        ownerId: wallet,
        payout: wallet,
        payoutSince: marketDay - 1_000 - index,
        publishedAt: marketDay - 1_000 - index,
        textSince: marketDay - 1_000 - index,
      },
      ...{ handle: `offer-${from + index}`, name: `Offer ${index} ${honest.name}`, summary: change(honest.summary, random) },
      skills: honest.skills.map((skill) => ({ ...skill, description: change(skill.description, random) })),
    }
  })
}
