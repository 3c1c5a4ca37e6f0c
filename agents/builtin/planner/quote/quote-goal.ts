/** A quote: what the planner would do with a goal now, before any money moves. It runs the planner's own search. */
import type { Json, Listing, StepRoyalty, TeamPreferences } from '@parley/protocol'
import type { GoalInput, NeededInput } from '../intent/goal-intent.ts'
import { noticeOf, translateGoalToEnglish } from '../intent/languages/translate-goal-to-english.ts'
import { translatePlannerText } from '../intent/languages/translate-planner-text.ts'
import { rankOffers } from '../intent/rank-offers.ts'
import { listAdmittedOffers } from '../plan/may-model-read-goal.ts'
import type { Plan, PlannedStep } from '../plan/plan.ts'
import { priceOf, type SkillOffer, toSkillOffers } from '../plan/skill-offers.ts'
import { planBySearch } from '../strategies/deterministic-strategy.ts'
import { withPastedTable } from '../strategies/plan-over-pasted-table.ts'
import { suggestReadings } from '../suggestions/suggest-readings.ts'
import { listUnusedGoalWords } from './list-unused-goal-words.ts'
import { suggestCriteria } from './suggest-criteria.ts'

export type QuoteRequest = {
  readonly goal: GoalInput
  /** Listings that are online now. */
  readonly listings: readonly Listing[]
  /** The listing of the planner that leads the goal; null if no planner is online. */
  readonly planner: { readonly agent_id: string; readonly price: bigint } | null
  /** Upper bound for all steps, base units. Null: no budget is known. */
  readonly payable: bigint | null
  readonly decimals: number
  /** True: possible interpretations of a goal without a plan are searched for. */
  readonly isSuggesting?: boolean
  /** False: no agent with a language model may read the goal. True by default. */
  readonly isModelAdmitted?: boolean
  /** What the client says about the team. */
  readonly team?: TeamPreferences
}

export type QuotedStep = {
  readonly step: number
  readonly skillId: string
  readonly name: string
  readonly agentId: string
  readonly handle: string
  /** Base units. */
  readonly price: bigint
  /** Who is paid, and the shares of others. */
  readonly payee: string
  readonly royalties: readonly StepRoyalty[]
  readonly after: readonly number[]
  readonly outputs: readonly { readonly type: string; readonly description: string }[]
  /** The inputs, if the goal's text and files give all of them: a direct call can then do the step. Null: it also needs other steps. */
  readonly inputs: readonly QuotedInput[] | null
}

/** An input of a direct call: a value, or a file of the goal by its place in the list, from 0. */
export type QuotedInput = { readonly port: string; readonly type: string } & (
  | { readonly data: { readonly [key: string]: Json } }
  | { readonly file: number }
)

export type PlannedQuote = {
  readonly outcome: 'planned' | 'over_budget'
  /** One sentence: how the planner reads the goal. */
  readonly summary: string
  readonly steps: readonly QuotedStep[]
  readonly plannerPrice: bigint
  /** All steps with the planner's own, base units. */
  readonly total: bigint
  /** Meaningful words of the goal that no step uses. */
  readonly unusedWords: readonly string[]
  /** Wanted types that no agent online makes within the budget. */
  readonly leftOut: readonly string[]
  /** Criteria that the reviewer can check by rule. */
  readonly criteria: readonly string[]
  readonly plan: Plan
}

/** A possible interpretation. `text` replaces the text of the goal, and the planner plans it exactly as quoted. */
export type QuotedSuggestion = PlannedQuote & {
  readonly text: string
  /** Meaningful words of the client's text that the reading leaves out. */
  readonly leftOutWords: readonly string[]
}

/** `suggestions`: possible interpretations, best first, at most five. Only the client chooses one. */
export type GoalQuote =
  | PlannedQuote
  /** The planner needs an answer first. */
  | {
      readonly outcome: 'question'
      readonly question: string
      /** Inputs that the client can give as values. */
      readonly needs: readonly NeededInput[]
      readonly suggestions: readonly QuotedSuggestion[]
    }
  /** No agent online can do it. `closest`: what agents online do that is nearest to it. */
  | {
      readonly outcome: 'unavailable'
      readonly reason: string
      readonly closest: readonly ClosestSkill[]
      readonly suggestions: readonly QuotedSuggestion[]
    }

export type ClosestSkill = { readonly agentId: string; readonly handle: string; readonly skill: string; readonly description: string }

const unlimited = 2n ** 96n
const maxClosest = 3
const maxUnusedWords = 8

/** Pure. The same goal, offers and budget give the plan that the built-in planner proposes after funding. */
export function quoteGoal(request: QuoteRequest): GoalQuote {
  const { goal, listings, planner, payable, decimals, isModelAdmitted = true, team } = request
  if (planner === null)
    return { outcome: 'unavailable', reason: 'No planner is online, so no agent can take the goal.', closest: [], suggestions: [] }
  const offers = listAdmittedOffers(toSkillOffers(listings), isModelAdmitted).filter((offer) => offer.agent_id !== planner.agent_id)
  const planWithin = (limit: bigint) =>
    planBySearch({ goal, offers, payable: limit, decimals, msLeft: 0, refusals: [], ...(team && { team }) })
  const left = payable === null ? unlimited : payable - planner.price
  const within = left > 0n ? planWithin(left) : null
  if (within && 'plan' in within) return describePlan(request, within, 'planned')
  // Without a budget the first search was unlimited already.
  const any = payable === null && within ? within : planWithin(unlimited)
  if ('plan' in any) return describePlan(request, any, 'over_budget')
  const suggestions = suggestFor(request, offers)
  if ('question' in any && !any.isUnmatched) return { outcome: 'question', question: any.question, needs: any.needs ?? [], suggestions }
  const reason = 'question' in any ? unmatchedReason(goal, offers.length, any.hint) : any.reason
  return { outcome: 'unavailable', reason, closest: rankOffers(goal.text, offers).slice(0, maxClosest).map(describeOffered), suggestions }
}

/** Each suggestion is planned by the same search as a goal of its own. */
function suggestFor(request: QuoteRequest, offers: readonly SkillOffer[]): QuotedSuggestion[] {
  const { planner, payable, decimals, isSuggesting } = request
  if (!isSuggesting) return []
  const table = withPastedTable(request.goal)
  // A suggestion for a goal with a pasted table has the table below it.
  const withTable = (text: string): string => (table ? `${text}\n\n${table.pasted.block}` : text)
  // The client reads and pays for it in the language of its own text.
  const originalText = request.goal.originalText || request.goal.text
  const wholeGoal = (read: GoalInput): GoalInput =>
    table ? { ...request.goal, answers: [], text: withTable(read.text), originalText } : { ...read, originalText }
  const suggested = suggestReadings(table?.goal ?? request.goal, (sentence) => {
    const read = wholeGoal(sentence)
    const planned = planBySearch({ goal: read, offers, payable: unlimited, decimals, msLeft: 0, refusals: [] })
    if (!('plan' in planned)) return undefined
    const queries = planned.plan.steps.flatMap(({ inputs }) =>
      inputs.flatMap(({ type, given }) => (type === 'goal.criteria' ? [] : (given?.data ?? []))),
    )
    const isOver = payable !== null && planned.plan.price + (planner?.price ?? 0n) > payable
    const quote = describePlan({ ...request, goal: read }, planned, isOver ? 'over_budget' : 'planned')
    return { quote, skills: quote.steps.map(({ skillId }) => skillId), query: JSON.stringify(queries) }
  })
  return suggested.map(({ text, quote, leftOut }) => ({ ...quote, unusedWords: [], text: withTable(text), leftOutWords: leftOut }))
}

function unmatchedReason(goal: GoalInput, count: number, hint: string | undefined): string {
  const read = translateGoalToEnglish(goal)
  const end = hint === undefined ? '' : ` ${hint}`
  const reason = `None of the ${count} skills online fits these words.`
  const whole = `${reason}${end}`
  return 'reading' in read ? `${noticeOf(read.language, 'declined')} ${translatePlannerText(whole, read.language) ?? whole}` : whole
}

const describeOffered = ({ agent_id, handle, skill }: SkillOffer): ClosestSkill => ({
  agentId: agent_id,
  handle,
  skill: skill.name,
  description: skill.description,
})

type Planned = { readonly plan: Plan; readonly summary: string; readonly goal?: GoalInput }

function describePlan(
  request: QuoteRequest,
  { plan, summary, goal = request.goal }: Planned,
  outcome: PlannedQuote['outcome'],
): PlannedQuote {
  const { planner } = request
  const plannerPrice = planner?.price ?? 0n
  return {
    outcome,
    summary,
    steps: plan.steps.map((step) => describeStep(step, request.goal.attachments)),
    plannerPrice,
    total: plan.price + plannerPrice,
    unusedWords: unusedWordsOf(goal, plan),
    leftOut: plan.left_out,
    criteria: suggestCriteria(plan, readableGoal(goal)),
    plan,
  }
}

/** The goal as it was planned: in English, with the language in which it was written. */
function readableGoal(goal: GoalInput): GoalInput {
  const read = translateGoalToEnglish(goal)
  return 'goal' in read ? read.goal : goal
}

/** Of a translated goal, the words that no phrase covers. */
function unusedWordsOf(goal: GoalInput, plan: Plan): readonly string[] {
  const read = translateGoalToEnglish(goal)
  const names = new Set(plan.steps.flatMap(({ offer }) => offer.skill.tags.map((tag) => tag.toLowerCase())))
  return 'unknown' in read
    ? read.unknown.filter((word) => word.length > 2 && !names.has(word.toLowerCase())).slice(0, maxUnusedWords)
    : listUnusedGoalWords(goal, plan)
}

const describeStep = ({ step, offer, depends_on, inputs }: PlannedStep, files: GoalInput['attachments']): QuotedStep => ({
  step,
  skillId: offer.skill.id,
  name: offer.skill.name,
  agentId: offer.agent_id,
  handle: offer.handle,
  price: priceOf(offer),
  payee: offer.payee,
  royalties: offer.royalties,
  after: depends_on,
  outputs: offer.skill.outputs.map(({ type, description }) => ({ type, description })),
  inputs: quotedInputs(inputs, files),
})

function quotedInputs(inputs: PlannedStep['inputs'], files: GoalInput['attachments']): QuotedInput[] | null {
  const quoted = inputs.flatMap(({ port, type, given }): QuotedInput[] => {
    if (given?.data !== undefined) return [{ port, type, data: given.data }]
    const file = files.findIndex(({ sha256 }) => sha256 === given?.attachment)
    return file === -1 ? [] : [{ port, type, file }]
  })
  return quoted.length === inputs.length ? quoted : null
}
