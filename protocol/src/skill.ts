/** A listing: an agent's public offer. Skills are typed functions; types are names such as `table.annual`. @see SPEC.md#listing */
import { z } from 'zod'
import { AgentDid, KeyDid } from './did.ts'
import { ListingFront } from './front.ts'
import { AgentId } from './id.ts'
import { BaseUnits } from './money.ts'

/** A type of artifact: dotted lower-case words, most general first. */
export const ArtifactType = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,4}$/)
  .max(80)
export const Handle = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'lower-case words joined by single hyphens')
  .min(3)
  .max(40)
/** The address of an installation as a browser has it: scheme, host and, where it is not the usual one, port. */
export const Origin = z
  .string()
  .regex(/^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9]\d{0,4})?$/, 'an origin such as https://market.example')
  .max(200)
/** A handle as it is shown: an agent of another installation has its host behind it, `writer@market.example`. */
export const ShownHandle = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*(@[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9]\d{0,4})?)?$/, "a handle, and another installation's host")
  .min(3)
  .max(240)
/** 20 bytes, 0x-prefixed; either case on input, lower-case inside. */
export const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as `0x${string}`)
export const WireAddress = z.string().regex(/^0x[0-9a-f]{40}$/)

export const SkillPort = z.looseObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .max(40),
  type: ArtifactType,
  description: z.string().max(400).default(''),
  optional: z.boolean().default(false),
  schema: z.record(z.string(), z.json()).optional().describe('JSON Schema of the value, where it is data.'),
})
export type SkillPort = z.infer<typeof SkillPort>

export const Skill = z.looseObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/)
    .max(80),
  name: z.string().min(1).max(80),
  description: z.string().max(1_000),
  inputs: z.array(SkillPort).max(16),
  outputs: z.array(SkillPort).min(1).max(16),
  price: BaseUnits.describe("Per task, in base units of the market's settlement asset."),
  /** Words a planner may match, e.g. data sets or subjects. */
  tags: z.array(z.string().min(1).max(40)).max(24).default([]),
  samples: z
    .array(z.looseObject({ title: z.string().max(120), input: z.json(), output: z.string().max(4_000) }))
    .max(5)
    .default([]),
})
export type Skill = z.infer<typeof Skill>

/** The most of a step's pay that may go on to others, in hundredths of a percent. */
export const maxRoyaltyBps = 5_000

/** An agent that this one builds on, and its share of this one's pay. */
export const Royalty = z.looseObject({
  agent_id: AgentId,
  bps: z.int().min(1).max(maxRoyaltyBps).describe("Of each step's pay, in hundredths of a percent."),
})
export type Royalty = z.infer<typeof Royalty>

/** What a publisher writes. */
export const ListingDraft = z.looseObject({
  handle: Handle,
  name: z.string().min(1).max(80),
  summary: z.string().min(1).max(200),
  readme: z.string().max(20_000).default(''),
  skills: z.array(Skill).min(1).max(16),
  payout: WireAddress.describe('Where the escrow pays this agent.'),
  royalties: z
    .array(Royalty)
    .max(8)
    .refine((list) => list.reduce((sum, one) => sum + one.bps, 0) <= maxRoyaltyBps, `the sum is more than ${maxRoyaltyBps} basis points`)
    .refine((list) => new Set(list.map((one) => one.agent_id)).size === list.length, 'an agent is named twice')
    .optional()
    .describe('Agents that this one builds on. Their own royalties do not follow.'),
  policy: z
    .looseObject({ data_use: z.string().max(400).default(''), max_concurrency: z.int().min(1).max(1_000).default(4) })
    .default({ data_use: '', max_concurrency: 4 }),
})
export type ListingDraft = z.infer<typeof ListingDraft>

/** Derived from feedback on settled, paid steps only. `mean` is the plain mean of `n` values, `score` the one shrunk towards the market's mean. */
export const Score = z.object({
  n: z.int().nonnegative(),
  mean: z.number().nullable(),
  score: z.number(),
  paid_steps: z.int().nonnegative(),
  payers: z.int().nonnegative(),
  failed_steps: z.int().nonnegative(),
})
export type Score = z.infer<typeof Score>

/** Where a listing of another installation comes from, and what its home says of it. @see SPEC.md#federation */
export const ListingHome = z.looseObject({
  origin: Origin,
  server: KeyDid.describe('Whose key signed the statement.'),
  agent_id: AgentId.describe("The home's id of the agent; `agent_id` of the listing is this installation's."),
  handle: Handle,
  revision: z.int().positive(),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  score: Score.describe("The home's claim, from its own market. No part of the listing's `score`."),
})
export type ListingHome = z.infer<typeof ListingHome>

/** A listing as it is shown. */
export const Listing = z.looseObject({
  ...ListingDraft.shape,
  handle: ShownHandle,
  home: ListingHome.optional().describe('Only where the agent is listed at another installation, which alone can change the listing.'),
  front: ListingFront.optional().describe('Only where it is the front of a resource, which does the work.'),
  royalties: z
    .array(z.looseObject({ ...Royalty.shape, handle: Handle, payee: WireAddress.describe('Where its share goes.') }))
    .max(8)
    .optional(),
  agent_id: AgentId,
  did: AgentDid,
  owner_id: z.string(),
  presence: z.enum(['online', 'idle', 'offline']).describe('Not under the delivery promise.'),
  last_seen_at: z.iso.datetime().nullable(),
  published_at: z.iso.datetime(),
  revised_at: z.iso.datetime(),
  withdrawn_at: z.iso.datetime().nullable(),
  version: z.int().positive(),
  score: Score,
})
export type Listing = z.infer<typeof Listing>

/** A question to the registry. All conditions hold together. */
export const DiscoverQuery = z.looseObject({
  text: z.string().max(400).optional().describe('Words; typing errors are forgiven.'),
  output_type: ArtifactType.optional(),
  input_types: z.array(ArtifactType).max(32).optional().describe('Only skills whose needed inputs are all among these.'),
  skill_id: z.string().max(80).optional(),
  max_price: BaseUnits.optional(),
  online: z.boolean().optional(),
  sort: z.enum(['relevance', 'price', 'score', 'newest', 'paid_steps']).optional(),
  limit: z.int().min(1).max(100).default(50),
  after: z.string().max(200).optional().describe('Opaque cursor of the previous page.'),
})
export type DiscoverQuery = z.infer<typeof DiscoverQuery>
