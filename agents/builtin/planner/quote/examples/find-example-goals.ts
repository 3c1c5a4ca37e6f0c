/** Goals for which the planner would hire a skill, each verified by a quote; or the reason why it finds none. */
import type { Listing, Skill } from '@parley/protocol'
import { planSkillId, toSkillOffers } from '../../plan/skill-offers.ts'
import { type GoalQuote, quoteGoal } from '../quote-goal.ts'
import { attachableTypes, type DraftedGoal, draftExampleGoals } from './draft-example-goals.ts'
import { explainHiringObstacle, type HiringObstacle } from './explain-hiring-obstacle.ts'

export type ExampleRequest = {
  /** The listing with the skill as it would be published, online. */
  readonly listing: Listing
  readonly skillId: string
  /** All other listings that are online. */
  readonly others: readonly Listing[]
  /** As in `QuoteRequest`. */
  readonly planner: { readonly agent_id: string; readonly price: bigint } | null
  readonly decimals: number
}

export type ExampleGoal = {
  readonly text: string
  /** Names of the files to attach. */
  readonly files: readonly string[]
  /** Steps of the whole plan, without the planner's own. */
  readonly steps: number
  /** Of the whole plan with the planner's own step, base units. */
  readonly total: bigint
}

/** `obstacle`: why there is no example; null if there is one. */
export type ExampleGoals = { readonly goals: readonly ExampleGoal[]; readonly obstacle: HiringObstacle | null }

const maxGoals = 3

/** Pure. Runs at most eight quotes, and none after the third example. */
export function findExampleGoals(request: ExampleRequest): ExampleGoals {
  const { listing, skillId, others, planner } = request
  const skill = listing.skills.find(({ id }) => id === skillId)
  if (skill === undefined || skill.id === planSkillId) return { goals: [], obstacle: { kind: 'planner' } }
  if (planner === null) return { goals: [], obstacle: { kind: 'no_planner' } }
  const offers = toSkillOffers([listing, ...others])
  const goals: ExampleGoal[] = []
  const refusals: GoalQuote[] = []
  for (const draft of draftExampleGoals(skill, offers)) {
    const quote = quoteDraft(request, draft)
    if (isHired(quote, listing, skill)) goals.push(toExample(draft, quote))
    else refusals.push(quote)
    if (goals.length === maxGoals) break
  }
  return { goals, obstacle: goals.length > 0 ? null : explainHiringObstacle({ skill, offers, refusals }) }
}

function quoteDraft({ listing, others, planner, decimals }: ExampleRequest, { text, fileTypes }: DraftedGoal): GoalQuote {
  const attachments = fileTypes.map((artifact_type, index) => ({
    sha256: index.toString(16).padStart(64, '0'),
    name: attachableTypes[artifact_type] ?? artifact_type,
    media_type: artifact_type === 'table.csv' ? 'text/csv' : 'application/octet-stream',
    artifact_type,
    size: 0,
  }))
  const goal = { text, criteria: [], attachments, answers: [] }
  return quoteGoal({ goal, listings: [listing, ...others], planner, payable: null, decimals })
}

type Planned = Extract<GoalQuote, { readonly steps: unknown }>

const isHired = (quote: GoalQuote, listing: Listing, skill: Skill): quote is Planned =>
  'steps' in quote && quote.steps.some(({ agentId, skillId }) => agentId === listing.agent_id && skillId === skill.id)

const toExample = ({ text, fileTypes }: DraftedGoal, { steps, total }: Planned): ExampleGoal => ({
  text,
  files: fileTypes.map((type) => attachableTypes[type] ?? type),
  steps: steps.length,
  total,
})
