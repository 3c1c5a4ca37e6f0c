import { feeOn, type Listing, type PlannerMode, payableOf } from '@parley/protocol'
import {
  type GoalQuote,
  type PlannedQuote,
  type QuotedStep,
  type QuoteRequest,
  quoteGoal,
} from '../../../agents/builtin/planner/quote/quote-goal.ts'
import type { Context } from '../../context.ts'
import { discoverListings, listOwnerAgentsWithSkill } from '../../registry/index.ts'
import { modesOfPlanner } from './planner-modes.ts'

/** A file of the goal. `head`: the beginning of a text file, as far as the client sent it. */
export type QuotedFile = {
  readonly name: string
  readonly media_type: string
  readonly artifact_type: string
  readonly head?: string | undefined
  /** True if `head` is all of it. */
  readonly is_whole?: boolean | undefined
}

export type QuoteInput = {
  readonly text: string
  readonly criteria: readonly string[]
  readonly files: readonly QuotedFile[]
  /** The hold, base units, fee included. Null: no budget is chosen yet. */
  readonly budget: bigint | null
}

export type QuotedPlan = Omit<PlannedQuote, 'plannerPrice' | 'steps'> & {
  /** The planner's own step comes last. */
  readonly steps: readonly (QuotedStep & { readonly agentName: string })[]
  /** The fee on `total`, and the smallest budget that pays both; base units. */
  readonly fee: bigint
  readonly minBudget: bigint
}

export type PricedQuote = {
  readonly quote: QuotedPlan | Exclude<GoalQuote, PlannedQuote>
  /** The listing of the planner that would lead: the built-in one if it is online. Null: none is online. */
  readonly plannerId: string | null
  /** Modes in which planners online can plan. */
  readonly modes: readonly PlannerMode[]
  /** Planners online besides the one that would lead. They may plan a goal that it cannot. */
  readonly otherPlanners: number
}

/** As many pages as the built-in planner reads. */
const maxPages = 10
const pageSize = 100

/**
 * What the built-in planner would do with a goal now: its plan, a question, or why there is none. Nothing is stored, and no other agent
 * receives the text.
 */
export async function readGoalQuote(ctx: Context, input: QuoteInput): Promise<PricedQuote> {
  const { feeBps, decimals } = ctx.market
  const listings = await listOnline(ctx)
  const planners = listings.filter((listing) => priceOfPlan(listing) !== null)
  const planner = await leadPlanner(ctx, planners)
  const quote = quoteGoal({
    goal: toGoalInput(input),
    listings,
    planner: planner && { agent_id: planner.agent_id, price: priceOfPlan(planner) ?? 0n },
    payable: input.budget === null ? null : payableOf(input.budget, feeBps),
    decimals,
  })
  return {
    quote: 'total' in quote && planner ? priceQuote(quote, { listings, planner, feeBps }) : (quote as Exclude<GoalQuote, PlannedQuote>),
    plannerId: planner?.agent_id ?? null,
    modes: [...new Set(planners.flatMap(modesOfPlanner))],
    otherPlanners: planners.filter((one) => one !== planner).length,
  }
}

type Pricing = { readonly listings: readonly Listing[]; readonly planner: Listing; readonly feeBps: number }

/** The quote with the planner's own step, names and the fee. */
function priceQuote(planned: PlannedQuote, { listings, planner, feeBps }: Pricing): QuotedPlan {
  const { plannerPrice, ...plan } = planned
  const nameOf = new Map(listings.map((listing) => [listing.agent_id, listing.name]))
  const fee = feeOn(plan.total, feeBps)
  const last: QuotedStep = {
    step: plan.steps.length + 1,
    skillId: 'goal.plan',
    name: planner.skills.find(({ id }) => id === 'goal.plan')?.name ?? planner.name,
    agentId: planner.agent_id,
    handle: planner.handle,
    price: plannerPrice,
    after: plan.steps.map(({ step }) => step),
    outputs: [],
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

/** The built-in planner if it is online, otherwise the cheapest one. */
async function leadPlanner(ctx: Context, planners: readonly Listing[]): Promise<Listing | null> {
  const { housePublisher } = ctx.market
  const own = housePublisher === null ? [] : await listOwnerAgentsWithSkill(ctx, housePublisher, 'goal.plan')
  const builtin = planners.find((listing) => own.some(({ agentId }) => agentId === listing.agent_id))
  return builtin ?? planners.toSorted((a, b) => Number((priceOfPlan(a) ?? 0n) - (priceOfPlan(b) ?? 0n)))[0] ?? null
}

function priceOfPlan({ skills }: Listing): bigint | null {
  const skill = skills.find(({ id }) => id === 'goal.plan')
  return skill ? BigInt(skill.price) : null
}

function toGoalInput({ text, criteria, files }: QuoteInput): QuoteRequest['goal'] {
  const attachments = files.map(toArtifactRef)
  const heads = Object.fromEntries(
    attachments.flatMap(({ sha256 }, index) => {
      const head = files[index]?.head
      return head === undefined ? [] : [[sha256, { text: head, isWhole: files[index]?.is_whole ?? false }]]
    }),
  )
  return { text, criteria, attachments, heads, answers: [] }
}

const toArtifactRef = ({ name, media_type, artifact_type }: QuotedFile, index: number) => ({
  // Plans refer to files by hash. Before the upload, the place in the list stands for it.
  sha256: index.toString(16).padStart(64, '0'),
  name,
  media_type,
  artifact_type,
  size: 0,
})
