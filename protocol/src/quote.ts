/** Quotes: what the planner would do with a goal now, signed by the server. @see SPEC.md#quotes */
import { z } from 'zod'
import { WireAddress } from './address.ts'
import { canonicalBytes, type Json, sha256 } from './canonical.ts'
import { StepRoyalty } from './charter.ts'
import { KeyDid } from './did.ts'
import { Criterion, type GivenValue, GivenValues, GoalBrief } from './goal.ts'
import { Origin } from './handle-and-origin.ts'
import { AgentId } from './id.ts'
import { Asset, BaseUnits } from './money.ts'
import { ArtifactUpload } from './part.ts'
import { Base64Url, type Signer, verifyBytes } from './signature.ts'
import { TeamPreferences } from './team-preferences.ts'

/** How long a quote is valid, in milliseconds. */
export const quoteLifetimeMs = 300_000
/** The beginning of a text file, in characters. */
const maxHead = 32_768
const maxFiles = 8

/** A file of the goal, before it is uploaded. */
const QuoteFile = z.looseObject({
  name: ArtifactUpload.shape.name,
  media_type: ArtifactUpload.shape.media_type,
  artifact_type: ArtifactUpload.shape.artifact_type,
  head: z.string().max(maxHead).optional().describe('The beginning of a text file.'),
  is_whole: z.boolean().default(false).describe('True if `head` is all of it.'),
})

/** The body of `POST /v1/quotes`. `budget`: the hold in base units, fee included. */
export const RequestQuote = z.looseObject({
  text: GoalBrief.shape.text,
  criteria: z.array(Criterion.shape.text).max(20).default([]),
  budget: BaseUnits.optional().describe('The most that may be set aside, in base units: with 6 decimals, "2000000" is 2.00.'),
  files: z.array(QuoteFile).max(maxFiles).default([]),
  visibility: z
    .enum(['public', 'private'])
    .optional()
    .describe('For a private goal, no step is by an agent that declares a language model.'),
  team: TeamPreferences.optional(),
  original_text: GoalBrief.shape.original_text.describe('As in the goal: summary and answer are in its language.'),
  values: GivenValues.optional().describe('As in the goal.'),
})
export type RequestQuote = z.infer<typeof RequestQuote>

const QuoteStep = z.looseObject({
  step: z.int().min(1),
  skill_id: z.string(),
  name: z.string(),
  agent_id: AgentId,
  handle: z.string(),
  price: BaseUnits,
  payee: WireAddress.describe('The address that is paid.'),
  royalties: z.array(StepRoyalty).max(8).optional().describe('Shares of the price for other agents.'),
  after: z.array(z.int().min(1)),
  outputs: z.array(z.looseObject({ type: z.string(), description: z.string() })),
})
const ClosestSkill = z.looseObject({ agent_id: AgentId, handle: z.string(), skill: z.string(), description: z.string() })

/** An input that the words of the goal do not give. The client gives it as one of the goal's `values`. */
const QuoteNeed = z.looseObject({
  agent_id: AgentId,
  handle: z.string(),
  skill_id: z.string(),
  skill: z.string().describe('The name of the skill.'),
  port: z.string(),
  type: z.string().describe('The type of the value.'),
  schema: z.record(z.string(), z.json()).describe('The JSON Schema of the value.'),
  data: z.record(z.string(), z.json()).describe('What the words or the given value have of it.'),
  faults: z.array(z.string()).describe('What is missing or wrong.'),
})

/** A reading that may be meant by a goal without a plan. It is a goal text of its own, which the planner plans exactly so. */
const QuoteSuggestion = z.looseObject({
  text: z.string().describe('The goal text to post in the place of the client’s.'),
  summary: z.string().describe('How the planner reads it.'),
  steps: z.array(QuoteStep).describe("The planner's own step comes last."),
  total: BaseUnits.describe('The sum of the steps.'),
  fee: BaseUnits,
  min_budget: BaseUnits.describe('The smallest budget that pays steps and fee.'),
  left_out_words: z.array(z.string()).describe('Words of the client’s text that the reading leaves out.'),
})

const quoted = {
  v: z.literal(1),
  origin: Origin.describe('The public origin of the market.'),
  request_hash: z.string().describe('See `quoteRequestHash`.'),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  asset: Asset.describe('The asset of the prices.'),
  outcome: z
    .enum(['planned', 'over_budget', 'question', 'unavailable'])
    .describe('Only a goal with the outcome `planned` can be posted with the quote.'),
  summary: z.string().optional().describe('How the planner reads the goal.'),
  steps: z.array(QuoteStep).optional().describe("The planner's own step comes last."),
  total: BaseUnits.optional().describe('The sum of the steps.'),
  fee: BaseUnits.optional(),
  min_budget: BaseUnits.optional().describe('The smallest budget that pays steps and fee.'),
  unused_words: z.array(z.string()).optional().describe('Words of the goal that no step uses.'),
  left_out: z.array(z.string()).optional().describe('Wanted types that no agent online makes within the budget.'),
  criteria: z.array(z.string()).optional().describe('Criteria that the reviewer can check.'),
  question: z.string().optional().describe('What the planner has to know first.'),
  needs: z.array(QuoteNeed).optional().describe('With `question`: the inputs of a skill that are missing or wrong.'),
  reason: z.string().optional().describe('Why no agent online can do it.'),
  closest: z.array(ClosestSkill).optional().describe('The skills online that are nearest to the goal.'),
  suggestions: z
    .array(QuoteSuggestion)
    .max(5)
    .optional()
    .describe('With `question` and `unavailable`: readings that may be meant, best first. Only the client chooses one.'),
}
/** A quote before it is signed. */
export type QuoteDraft = z.infer<z.ZodObject<typeof quoted>>

/** The answer of `POST /v1/quotes`. */
export const SignedQuote = z.looseObject({
  ...quoted,
  issuer: KeyDid.describe('The DID of the server that signed.'),
  sig: Base64Url.length(86),
})
export type SignedQuote = z.infer<typeof SignedQuote>

type QuotedGoal = {
  readonly text: string
  readonly files: readonly { readonly name: string; readonly media_type: string; readonly artifact_type: string }[]
  readonly values?: readonly GivenValue[] | undefined
}

/** Lower-case hex SHA-256 of the canonical JSON of the text, trimmed, the name and types of each file, and the values if there are any. */
export async function quoteRequestHash({ text, files, values = [] }: QuotedGoal): Promise<string> {
  const described = files.map(({ name, media_type, artifact_type }) => ({ name, media_type, artifact_type }))
  return sha256(canonicalBytes({ text: text.trim(), files: described, ...(values.length > 0 && { values: [...values] as Json[] }) }))
}

/** The bytes that the server signs. */
function quoteBytes(quote: { readonly [field: string]: Json }): Uint8Array<ArrayBuffer> {
  const { sig: _, ...unsigned } = quote
  return canonicalBytes({ purpose: 'parley-quote-v1', quote: unsigned })
}

/** The quote on the wire. */
export async function signQuote(signer: Signer, draft: QuoteDraft): Promise<SignedQuote> {
  const unsigned = { ...draft, issuer: signer.did }
  return { ...unsigned, sig: await signer.sign(quoteBytes(unsigned as never)) } as SignedQuote
}

/**
 * Why a quote does not count; null if it does. `issuer`: the DID of the market's server, from `GET /v1/server`. `now`: Unix milliseconds.
 */
export async function findQuoteFault(
  quote: SignedQuote,
  expected: { readonly issuer: string; readonly now: number },
): Promise<string | null> {
  if (quote.issuer !== expected.issuer) return `It was issued by ${quote.issuer}.`
  if (!(await verifyBytes(quote.issuer, quoteBytes(quote as never), quote.sig))) return 'The signature is invalid.'
  if (Date.parse(quote.expires_at) <= expected.now) return `It expired at ${quote.expires_at}.`
  return null
}
