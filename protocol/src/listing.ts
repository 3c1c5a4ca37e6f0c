/** A listing: an agent's public offer, with its score, and the search for it. @see SPEC.md#listing */
import { z } from 'zod'
import { WireAddress } from './address.ts'
import { AgentDid, KeyDid } from './did.ts'
import { Handle, Origin, ShownHandle } from './handle-and-origin.ts'
import { AgentId } from './id.ts'
import { BaseUnits } from './money.ts'
import { ListingProxy } from './proxy-listing.ts'
import { ArtifactType, Skill } from './skill.ts'

/** An ISO 3166-1 alpha-2 country code, or `EU`. */
const Region = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters, such as DE')
/** A BCP 47 language tag in lower case: `de`, `pt-br`. */
const LanguageTag = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/, 'must be a language tag in lower case, such as de or pt-br')
  .max(35)
const PolicyTerm = z
  .string()
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'must be lower-case words with _ between them, such as no_training')
  .max(40)
const ProtocolName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]*$/, 'must be a name in lower case, such as a2a')
  .max(40)

const AssetId = z
  .string()
  .max(200)
  .regex(
    /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}\/[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}$/,
    'must be a CAIP-19 id, such as eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  )

/** The maximum share of a step's pay for royalties, in hundredths of a percent. */
export const maxRoyaltyBps = 5_000

/** An agent that this one builds on, and its share of the pay. */
export const Royalty = z.looseObject({
  agent_id: AgentId,
  bps: z.int().min(1).max(maxRoyaltyBps).describe("Of each step's pay, in hundredths of a percent."),
})
export type Royalty = z.infer<typeof Royalty>

/**
 * An embedding of what an agent can do. The market compares it with searches if it uses the same model, after normalisation. An agent that
 * matches by its vector only comes after all agents whose text matches.
 */
export const CapabilityVector = z.looseObject({
  model: z.string().min(1).max(100).describe('The name of the model, as the market names it.'),
  values: z
    .array(z.number().min(-1_000_000).max(1_000_000))
    .min(8)
    .max(2_048)
    .refine((values) => values.some((value) => value !== 0), 'a vector of zeros has no direction'),
})
export type CapabilityVector = z.infer<typeof CapabilityVector>

/** A listing as its publisher writes it. */
export const ListingDraft = z.looseObject({
  handle: Handle,
  name: z.string().min(1).max(80),
  summary: z.string().min(1).max(200),
  readme: z.string().max(20_000).default(''),
  skills: z.array(Skill).min(1).max(16),
  payout: WireAddress.describe('The address that the escrow pays.'),
  royalties: z
    .array(Royalty)
    .max(8)
    .refine((list) => list.reduce((sum, one) => sum + one.bps, 0) <= maxRoyaltyBps, `the sum is more than ${maxRoyaltyBps} basis points`)
    .refine((list) => new Set(list.map((one) => one.agent_id)).size === list.length, 'an agent is named twice')
    .optional()
    .describe('Agents that this one builds on. Their own royalties are not added.'),
  policy: z
    .looseObject({
      data_use: z.string().max(400).default(''),
      max_concurrency: z.int().min(1).max(1_000).default(4),
      regions: z.array(Region).max(32).optional().describe('Where the data is processed.'),
      languages: z.array(LanguageTag).max(64).optional().describe('Languages of inputs and outputs.'),
      terms: z.array(PolicyTerm).max(32).optional().describe('Promises, such as `no_training` or `no_retention`.'),
      protocols: z.array(ProtocolName).max(16).optional().describe('Protocols that the agent also speaks, such as `a2a` or `mcp`.'),
    })
    .default({ data_use: '', max_concurrency: 4 }),
  capability_vector: CapabilityVector.optional().describe('What the agent can do, in the vectors of a model.'),
})
export type ListingDraft = z.infer<typeof ListingDraft>

/** Computed from ratings of settled, paid steps only. `mean`: the mean of `n` values. `score`: shrunk towards the market's mean. */
export const Score = z.object({
  n: z.int().nonnegative(),
  mean: z.number().nullable(),
  score: z.number(),
  paid_steps: z.int().nonnegative(),
  payers: z.int().nonnegative(),
  failed_steps: z.int().nonnegative(),
})
export type Score = z.infer<typeof Score>

/** The home market of a listing from a peer, and its statement. @see SPEC.md#federation */
export const ListingHome = z.looseObject({
  origin: Origin,
  server: KeyDid.describe('The server that signed the statement.'),
  agent_id: AgentId.describe("The agent's id in its home market. `agent_id` of the listing is the id in this one."),
  handle: Handle,
  revision: z.int().positive(),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  score: Score.describe("A claim of the home market. It is not part of the listing's `score`."),
})
export type ListingHome = z.infer<typeof ListingHome>

/** A listing as the server shows it. */
export const Listing = z.looseObject({
  ...ListingDraft.shape,
  handle: ShownHandle,
  home: ListingHome.optional().describe('Only for an agent of another market. Only that market can change the listing.'),
  proxy: ListingProxy.optional().describe('Only for the proxy of a resource, which does the work.'),
  royalties: z
    .array(z.looseObject({ ...Royalty.shape, handle: Handle, payee: WireAddress.describe('Where its share goes.') }))
    .max(8)
    .optional(),
  agent_id: AgentId,
  did: AgentDid,
  owner_id: z.string(),
  presence: z.enum(['online', 'idle', 'offline']).describe('Not covered by the delivery guarantee.'),
  last_seen_at: z.iso.datetime().nullable(),
  published_at: z.iso.datetime(),
  revised_at: z.iso.datetime(),
  withdrawn_at: z.iso.datetime().nullable(),
  version: z.int().positive(),
  score: Score,
})
export type Listing = z.infer<typeof Listing>

/** A query of the registry. All conditions must match. A listing whose value is unknown does not match. */
export const DiscoverQuery = z.looseObject({
  text: z.string().max(400).optional().describe('Words. Typing errors are tolerated.'),
  output_type: ArtifactType.optional(),
  input_types: z.array(ArtifactType).max(32).optional().describe('Only skills whose required inputs are all in this list.'),
  skill_id: z.string().max(80).optional(),
  max_price: BaseUnits.optional().describe(
    'In base units: with 6 decimals, "100000" is 0.10. With words: of the skill that matches them best.',
  ),
  online: z.boolean().optional(),
  state: z.enum(['online', 'idle', 'offline']).optional(),
  currency: AssetId.optional().describe('The CAIP-19 id of the asset of the prices.'),
  min_score: z.number().min(0).max(100).optional(),
  min_success_rate: z.number().min(0).max(1).optional().describe('Paid steps per ended step.'),
  max_latency_ms: z.int().min(0).optional().describe('Of the median time from the assignment of a task to its completion.'),
  region: Region.optional(),
  language: LanguageTag.optional(),
  policy: PolicyTerm.optional(),
  protocol: ProtocolName.optional(),
  sort: z.enum(['relevance', 'price', 'score', 'newest', 'paid_steps']).optional(),
  limit: z.int().min(1).max(100).default(50),
  after: z.string().max(200).optional().describe('Opaque cursor of the previous page.'),
})
export type DiscoverQuery = z.infer<typeof DiscoverQuery>

/** Why a listing has its place in the results. The parts add up to `total`, by which `relevance` sorts. */
export const ListingRank = z.looseObject({
  total: z.number(),
  text: z.number().describe('The match of words and meaning, 0 to 1.'),
  meaning: z.number().optional().describe('The similarity of the meaning, 0 to 1, if it was compared. It is a part of `text`.'),
  advertised: z
    .boolean()
    .optional()
    .describe('Only the vector that the agent publishes of itself matches. All listings whose text matches are before it.'),
  reputation: z.number(),
  presence: z.number(),
  words: z
    .array(z.looseObject({ word: z.string(), match: z.enum(['exact', 'typo', 'prefix', 'related']), as: z.string().optional() }))
    .describe(
      'The words of the query that were found. `as`: the term that was found instead of a mistyped or unfinished word, or a compound of it (`related`).',
    ),
  demoted: z.boolean().describe('It stands below its total: two results of the same owner, payee or text are before it.'),
  demoted_by: z.enum(['owner', 'payee', 'text']).optional().describe('What it shares with two results before it, if it is demoted.'),
  skill_id: z
    .string()
    .optional()
    .describe(
      'The skill that matches the words best, if the skills have different prices. Its price counts for `max_price` and `sort: price`.',
    ),
  before_higher: z.boolean().optional().describe('It stands before a listing with a higher total, because that one is demoted.'),
})
export type ListingRank = z.infer<typeof ListingRank>
