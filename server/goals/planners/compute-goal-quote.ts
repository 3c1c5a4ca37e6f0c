import { feeOn, type Listing, type PlannerMode, payableOf, type RequestQuote } from '@parley/protocol'
import { plannerIdentityOf } from '../../../agents/builtin/planner/charter/charter-of-quote.ts'
import type {
  GoalQuote,
  PlannedQuote,
  QuotedStep,
  QuotedSuggestion,
  QuoteRequest,
} from '../../../agents/builtin/planner/quote/quote-goal.ts'
import { type CriterionChecker, chooseCriterionCheckers } from '../../../agents/builtin/reviewer/criteria/index.ts'
import { actorName, type Context } from '../../context.ts'
import { discoverListings, listOwnerAgentsWithSkill } from '../../registry/index.ts'
import { modesOfPlanner } from './planner-modes.ts'
import { getQuoteThreads } from './quote-threads/quote-threads.ts'

export type QuotedPlan = Omit<PlannedQuote, 'plannerPrice' | 'steps' | 'plan'> & {
  /** The planner's own step comes last. */
  readonly steps: readonly (QuotedStep & { readonly agentName: string })[]
  /** The fee on `total`, and the smallest budget that pays both; base units. */
  readonly fee: bigint
  readonly minBudget: bigint
}

/** A reading that may be meant, with the planner's own step and the fee. */
export type PricedSuggestion = QuotedPlan & Pick<QuotedSuggestion, 'text' | 'leftOutWords'>

type Unplanned = Exclude<GoalQuote, PlannedQuote>
/** A goal without a plan, with priced suggestions. */
export type PricedRefusal =
  | (Omit<Extract<Unplanned, { outcome: 'question' }>, 'suggestions'> & { readonly suggestions: readonly PricedSuggestion[] })
  | (Omit<Extract<Unplanned, { outcome: 'unavailable' }>, 'suggestions'> & { readonly suggestions: readonly PricedSuggestion[] })

export type PricedQuote = {
  readonly quote: QuotedPlan | PricedRefusal
  /** Who checks each criterion: of the client's, or of the plan's if the client wrote none. */
  readonly checkers: readonly (CriterionChecker & { readonly agentName: string | null })[]
  /** The listing of the planner that would lead: the built-in one if it is online. Null: none is online. */
  readonly plannerId: string | null
  /** Modes in which planners online can plan. */
  readonly modes: readonly PlannerMode[]
  /** Planners online besides the one that would lead. They may plan a goal that it cannot. */
  readonly otherPlanners: number
}

/** The goal as far as it is written. `budget`: the hold in base units, fee included; null: none is chosen yet. */
export type QuoteInput = Pick<RequestQuote, 'text' | 'original_text' | 'criteria' | 'files' | 'visibility' | 'team' | 'values'> & {
  readonly budget: bigint | null
}

/** As many pages as the built-in planner reads. */
const maxPages = 10
const pageSize = 100

/**
 * What the built-in planner would do with a goal now: its plan, a question, or why there is none. Nothing is stored, and no other agent
 * receives the text. `source`: whose share of the threads it uses.
 * @throws goal.planning_overloaded, goal.planning_too_slow
 */
export async function computeGoalQuote(ctx: Context, input: QuoteInput, source = actorName(ctx.actor)): Promise<PricedQuote> {
  const online = await listOnlinePlanners(ctx)
  const { lead: _lead, plan: _plan, ...priced } = await priceGoal(ctx, { ...input, isSuggesting: true }, online, source)
  return priced
}

/** Who is online. `builtin`: the planner of the installation; null if it is not online. */
export type OnlinePlanners = {
  readonly listings: readonly Listing[]
  readonly planners: readonly Listing[]
  readonly builtin: Listing | null
}

export async function listOnlinePlanners(ctx: Context): Promise<OnlinePlanners> {
  const listings = await listOnline(ctx)
  const planners = listings.filter((listing) => priceOfPlan(listing) !== null)
  const { housePublisher } = ctx.market
  const own = housePublisher === null ? [] : await listOwnerAgentsWithSkill(ctx, housePublisher, 'goal.plan')
  return { listings, planners, builtin: planners.find((listing) => own.some(({ agentId }) => agentId === listing.agent_id)) ?? null }
}

/** The planner that would lead a goal now: the built-in one, or else the cheapest. */
const leadOf = ({ planners, builtin }: OnlinePlanners): Listing | null =>
  builtin ?? planners.toSorted((a, b) => Number((priceOfPlan(a) ?? 0n) - (priceOfPlan(b) ?? 0n)))[0] ?? null

/** The terms of the planner that would lead, as a quote reads them. */
export function planningTerms(online: OnlinePlanners): QuoteRequest['planner'] {
  const planner = leadOf(online)
  return planner && { agent_id: planner.agent_id, price: priceOfPlan(planner) ?? 0n }
}

/** A quote with what a charter is made of: the plan, and the listing of the planner that would lead. Null without a plan. */
export type PlannedGoal = PricedQuote & { readonly plan: PlannedQuote['plan'] | null; readonly lead: Listing | null }

/** As `computeGoalQuote`, for the agents that were read before. */
export async function priceGoal(
  ctx: Context,
  input: QuoteInput & Pick<QuoteRequest, 'isSuggesting'>,
  online: OnlinePlanners,
  source = actorName(ctx.actor),
): Promise<PlannedGoal> {
  const { feeBps, decimals } = ctx.market
  const { listings, planners } = online
  const planner = leadOf(online)
  const request: QuoteRequest = {
    goal: toGoalInput(input),
    listings,
    planner: planningTerms(online),
    payable: input.budget === null ? null : payableOf(input.budget, feeBps),
    decimals,
    isModelAdmitted: input.visibility !== 'private',
    ...(input.isSuggesting && { isSuggesting: true }),
    ...(input.team && { team: input.team }),
  }
  const quote = await getQuoteThreads().quote(request, source)
  return {
    quote: priceAnswer(quote, planner && { listings, planner, feeBps }),
    checkers: checkersOf(input, quote, listings),
    plannerId: planner?.agent_id ?? null,
    modes: [...new Set(planners.flatMap(modesOfPlanner))],
    otherPlanners: planners.filter((one) => one !== planner).length,
    plan: 'plan' in quote ? quote.plan : null,
    lead: planner,
  }
}

function checkersOf({ criteria }: QuoteInput, quote: GoalQuote, listings: readonly Listing[]): PricedQuote['checkers'] {
  const planned = 'steps' in quote ? quote : { criteria: [], steps: [] }
  return chooseCriterionCheckers(criteria.length > 0 ? criteria : planned.criteria, planned.steps).map((one) => ({
    ...one,
    agentName: listings.find((listing) => listing.agent_id === one.agentId)?.name ?? null,
  }))
}

type Pricing = { readonly listings: readonly Listing[]; readonly planner: Listing; readonly feeBps: number }

function priceAnswer(quote: GoalQuote, pricing: Pricing | null): QuotedPlan | PricedRefusal {
  // Without a planner there is neither a plan nor a suggestion.
  if (pricing === null) return { ...(quote as Unplanned), suggestions: [] }
  if ('total' in quote) return priceQuote(quote, pricing)
  const suggestions = quote.suggestions.map(
    ({ text, leftOutWords, ...plan }): PricedSuggestion => ({ ...priceQuote(plan, pricing), text, leftOutWords }),
  )
  return { ...quote, suggestions }
}

/** The quote with the planner's own step, names and the fee. */
function priceQuote(planned: PlannedQuote, { listings, planner, feeBps }: Pricing): QuotedPlan {
  const { plannerPrice, plan: _plan, ...plan } = planned
  const nameOf = new Map(listings.map((listing) => [listing.agent_id, listing.name]))
  const fee = feeOn(plan.total, feeBps)
  const last: QuotedStep = {
    step: plan.steps.length + 1,
    skillId: 'goal.plan',
    name: planner.skills.find(({ id }) => id === 'goal.plan')?.name ?? planner.name,
    agentId: planner.agent_id,
    handle: planner.handle,
    price: plannerPrice,
    payee: planner.payout,
    royalties: plannerIdentityOf(planner).royalties ?? [],
    after: plan.steps.map(({ step }) => step),
    outputs: [],
    inputs: null,
  }
  const steps = [...plan.steps, last].map((step) => ({ ...step, agentName: nameOf.get(step.agentId) ?? step.handle }))
  return { ...plan, steps, fee, minBudget: plan.total + fee }
}

async function listOnline(ctx: Context): Promise<Listing[]> {
  const listings: Listing[] = []
  let after: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const found = await discoverListings(ctx, { online: true, limit: pageSize, ...(after !== undefined && { after }) })
    listings.push(...found.listings)
    if (found.next === null) break
    after = found.next
  }
  return listings
}

function priceOfPlan({ skills }: Listing): bigint | null {
  const skill = skills.find(({ id }) => id === 'goal.plan')
  return skill ? BigInt(skill.price) : null
}

function toGoalInput({ text, original_text, criteria, files, values }: QuoteInput): QuoteRequest['goal'] {
  const attachments = files.map(toArtifactRef)
  const heads = Object.fromEntries(
    attachments.flatMap(({ sha256 }, index) => {
      const head = files[index]?.head
      return head === undefined ? [] : [[sha256, { text: head, isWhole: files[index]?.is_whole ?? false }]]
    }),
  )
  const originalText = original_text && { originalText: original_text }
  return { text, ...originalText, criteria, attachments, heads, answers: [], ...(values && { values }) }
}

const toArtifactRef = ({ name, media_type, artifact_type }: RequestQuote['files'][number], index: number) => ({
  // Plans refer to files by hash. Before the upload, the place in the list stands for it.
  sha256: index.toString(16).padStart(64, '0'),
  name,
  media_type,
  artifact_type,
  size: 0,
})
