import { type QuoteDraft, quoteLifetimeMs, quoteRequestHash, type RequestQuote, type SignedQuote, signQuote } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { computeGoalQuote, type PricedQuote, type PricedSuggestion, type QuotedPlan } from './compute-goal-quote.ts'

/** What the planner would do with a goal now, signed by the server. Nothing is stored, and no other agent receives the text. */
export async function issueQuote(ctx: Context, request: RequestQuote): Promise<SignedQuote> {
  const { quote } = await computeGoalQuote(ctx, { ...request, budget: request.budget === undefined ? null : BigInt(request.budget) })
  return signPricedQuote(ctx, request, quote)
}

/** As `issueQuote`, for a quote that was read before. */
export async function signPricedQuote(ctx: Context, request: RequestQuote, quote: PricedQuote['quote']): Promise<SignedQuote> {
  const now = ctx.clock.now().getTime()
  const draft: QuoteDraft = {
    v: 1,
    origin: new URL(ctx.market.publicUrl).origin as QuoteDraft['origin'],
    request_hash: await quoteRequestHash(request),
    issued_at: new Date(now).toISOString(),
    expires_at: new Date(now + quoteLifetimeMs).toISOString(),
    asset: ctx.market.asset as QuoteDraft['asset'],
    ...describeQuote(quote),
  }
  return signQuote(ctx.ports.signer, draft)
}

type Described = Omit<QuoteDraft, 'v' | 'origin' | 'request_hash' | 'issued_at' | 'expires_at' | 'asset'>

function describeQuote(quote: PricedQuote['quote']): Described {
  if ('steps' in quote) return describePlan(quote)
  const suggestions = quote.suggestions.map(describeSuggestion)
  if (quote.outcome === 'question') {
    const { outcome, question, needs } = quote
    return { outcome, question, suggestions, ...(needs.length > 0 && { needs: needs.map(describeNeed) }) }
  }
  const closest = quote.closest.map(({ agentId, ...skill }) => ({ agent_id: agentId as never, ...skill }))
  return { outcome: quote.outcome, reason: quote.reason, closest, suggestions }
}

type NeededInput = Extract<PricedQuote['quote'], { readonly outcome: 'question' }>['needs'][number]

const describeNeed = ({ agentId, skillId, faults, ...need }: NeededInput) => ({
  ...need,
  ...{ agent_id: agentId as never, skill_id: skillId, faults: [...faults] },
})

function describeSuggestion({ text, summary, steps, total, fee, minBudget, leftOutWords }: PricedSuggestion) {
  return {
    ...{ text, summary, steps: steps.map(describeStep), left_out_words: [...leftOutWords] },
    ...{ total: total.toString() as never, fee: fee.toString() as never, min_budget: minBudget.toString() as never },
  }
}

const describeStep = ({ step, skillId, name, agentId, handle, price, payee, royalties, after, outputs }: QuotedPlan['steps'][number]) => ({
  ...{ step, skill_id: skillId, name, agent_id: agentId as never, handle },
  ...{ payee, ...(royalties.length > 0 && { royalties: royalties.map((royalty) => ({ ...royalty })) }) },
  ...{ price: price.toString() as never, after: [...after], outputs: outputs.map((output) => ({ ...output })) },
})

function describePlan({ outcome, summary, steps, total, fee, minBudget, unusedWords, leftOut, criteria }: QuotedPlan): Described {
  return {
    outcome,
    summary,
    steps: steps.map(describeStep),
    total: total.toString() as never,
    fee: fee.toString() as never,
    min_budget: minBudget.toString() as never,
    unused_words: [...unusedWords],
    left_out: [...leftOut],
    criteria: [...criteria],
  }
}
