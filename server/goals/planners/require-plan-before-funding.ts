import { canonicalize, findQuoteFault, type Json, type PostGoal, quoteRequestHash, type SignedQuote } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { formatMarketMoney } from '../../format-market-money.ts'
import { goalModeUnavailable, goalPlanMissing, goalQuoteInvalid } from '../errors.ts'
import type { QuotedTeam } from '../posting/build-quoted-charter.ts'
import { listOnlinePlanners, type OnlinePlanners, type PricedQuote, priceGoal, type QuoteInput } from './compute-goal-quote.ts'
import { modesOfPlanner } from './planner-modes.ts'

/** As much of a file as the built-in planner reads, in characters, of one file and of all together. */
const maxHead = 30_000
const maxHeads = 90_000

/**
 * Before money is set aside: if only the built-in planner can take the goal, it must have a plan for it, in the chosen mode. A goal that
 * other planners may take, or that no one online can take, is an open bounty. With a `quote`, the plan must still be the quoted one.
 *
 * Returns the team that the client approves with its funding. Null: an open bounty, whose team the client approves later.
 *
 * @throws goal.plan_missing, goal.planner_invalid, goal.quote_invalid
 */
export async function requirePlanBeforeFunding(ctx: Context, input: PostGoal): Promise<QuotedTeam | null> {
  const { quote } = input
  // The entries of a contest come with their prices.
  if (input.goal.contest) return null
  const online = await listOnlinePlanners(ctx)
  if (quote) return requireQuoted(ctx, { input, quote, online })
  await requireOwnPlan(ctx, input, online)
  return null
}

/** @throws goal.plan_missing, goal.planner_invalid */
async function requireOwnPlan(ctx: Context, input: PostGoal, online: OnlinePlanners): Promise<void> {
  const { goal } = input
  const able = eligible(goal, online)
  if (able.length !== 1 || able[0] !== online.builtin) return
  if (!modesOfPlanner(online.builtin).includes(goal.planner)) throw goalModeUnavailable(goal.planner, modesOfPlanner(online.builtin))
  // A model plans without typed skills, and a goal that follows another has its files and its room as well.
  if (goal.planner === 'model' || goal.planner === 'hybrid' || goal.follows !== undefined) return
  requirePlanned(ctx, (await priceGoal(ctx, toQuoteInput(input), online)).quote)
}

function eligible({ planners, visibility }: PostGoal['goal'], online: OnlinePlanners): OnlinePlanners['planners'] {
  if (planners) return online.planners.filter(({ agent_id }) => planners.includes(agent_id))
  if (visibility === 'private') return online.builtin === null ? [] : [online.builtin]
  return online.planners
}

type Planned = Extract<PricedQuote['quote'], { readonly steps: unknown }>

/** @throws goal.plan_missing */
function requirePlanned({ market }: Context, quote: PricedQuote['quote']): Planned {
  if (quote.outcome === 'question') throw goalPlanMissing(quote.question, { question: quote.question })
  if (!('steps' in quote)) throw goalPlanMissing(quote.reason, { reason: quote.reason })
  if (quote.outcome === 'over_budget')
    throw goalPlanMissing(`The plan needs a budget of ${formatMarketMoney(market, quote.minBudget)}.`, {
      min_budget: quote.minBudget.toString(),
    })
  return quote
}

type Quoted = { readonly input: PostGoal; readonly quote: SignedQuote; readonly online: OnlinePlanners }

/** @throws goal.quote_invalid */
async function requireQuoted(ctx: Context, { input, quote, online }: Quoted): Promise<QuotedTeam | null> {
  const fault = await findQuoteFault(quote, { issuer: ctx.market.serverDid, now: ctx.clock.now().getTime() })
  if (fault !== null) throw goalQuoteInvalid(fault)
  if (quote.outcome !== 'planned') throw goalQuoteInvalid(`Its outcome is ${quote.outcome}, so there is no plan to post.`)
  const described = { text: input.goal.text, files: input.attachments, values: input.goal.values }
  if (quote.request_hash !== (await quoteRequestHash(described)))
    throw goalQuoteInvalid('It is for another text, other files or other values.')
  const now = await priceGoal(ctx, toQuoteInput(input), online)
  if (!isSamePlan(requirePlanned(ctx, now.quote).steps, quote)) throw goalQuoteInvalid('The plan or a price has changed since.')
  // In the other modes the client has a word on each charter, or a model makes the plan.
  if (input.goal.planner !== 'deterministic') return null
  const { plan, lead } = now
  if (plan === null || lead === null) throw goalQuoteInvalid('Its planner is no longer online.')
  // A private goal that no planner online may read waits for one, as an open bounty.
  if (input.goal.visibility === 'private' && !input.goal.planners && online.builtin === null) return null
  if (!eligible(input.goal, online).includes(lead)) throw goalQuoteInvalid(`The goal does not admit its planner, ${lead.handle}.`)
  return { plan, planner: lead }
}

/** Whether the same agents would do the same steps for the same money, paid to the same addresses. */
function isSamePlan(steps: Planned['steps'], quote: SignedQuote): boolean {
  return (
    steps.length === quote.steps?.length &&
    steps.every(({ skillId, agentId, price, payee, royalties }, index) => {
      const step = quote.steps?.[index]
      if (step?.skill_id !== skillId || step.agent_id !== agentId || BigInt(step.price) !== price || step.payee !== payee) return false
      return canonicalize((step.royalties ?? []) as Json) === canonicalize([...royalties] as Json)
    })
  )
}

function toQuoteInput({ goal, attachments }: PostGoal): QuoteInput {
  const size = Math.floor(Math.min(maxHead, maxHeads / Math.max(1, attachments.length)))
  return {
    text: goal.text,
    ...(goal.original_text && { original_text: goal.original_text }),
    visibility: goal.visibility,
    criteria: goal.criteria.map(({ text }) => text),
    budget: BigInt(goal.budget),
    ...(goal.team && { team: goal.team }),
    ...(goal.values && { values: goal.values }),
    files: attachments.map(({ name, media_type, artifact_type, content }) => ({
      ...{ name, media_type, artifact_type },
      ...(media_type.startsWith('image/') ? { is_whole: false } : headOf(content, size)),
    })),
  }
}

/** The beginning of a Base64 text file. A character that is cut in two becomes a replacement character. */
function headOf(content: string, size: number) {
  const length = Math.floor(size / 3) * 4
  return { head: Buffer.from(content.slice(0, length), 'base64').toString('utf8'), is_whole: content.length <= length }
}
