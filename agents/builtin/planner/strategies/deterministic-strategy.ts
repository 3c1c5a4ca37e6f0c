/** The strategy without a model: parses the goal and searches backwards from the wanted types. */
import { formatAmount } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { findUnit } from '../../tools/numbers/find-unit.ts'
import { askBack } from '../intent/ask-back.ts'
import type { GoalInput } from '../intent/goal-intent.ts'
import { summaryInClientWords } from '../intent/languages/summary-in-client-words.ts'
import { noticeOf, translateGoalToEnglish, unreadNotice } from '../intent/languages/translate-goal-to-english.ts'
import { translatePlannerText } from '../intent/languages/translate-planner-text.ts'
import { parseGoal } from '../intent/parse-goal.ts'
import { plainTypeName } from '../intent/plain-type-name.ts'
import { rankOffers } from '../intent/rank-offers.ts'
import { removeFillerWords } from '../intent/remove-filler-words.ts'
import { filterOffersByTeamPreferences, planTeamFaults, smallTeams } from '../plan/filter-offers-by-team-preferences.ts'
import { findPlanErrors, type Plan, type PlanningProblem, searchPlan } from '../plan/plan.ts'
import { reachableTypes } from '../plan/search-backward.ts'
import { preferAgents, type SkillOffer } from '../plan/skill-offers.ts'
import { listUnusedGoalWords } from '../quote/list-unused-goal-words.ts'
import { findMissingArtifactTypes, type Gap } from '../sourcing/find-missing-artifact-types.ts'
import { planOverPastedTable } from './plan-over-pasted-table.ts'
import type { ModelUsage, PlanningInput, PlanningResult, PlanningStrategy } from './strategy.ts'

export const deterministicStrategy: PlanningStrategy = async (input) => planBySearch(input)

/** For goals that ask for a model, if none is configured. */
export const noModelStrategy: PlanningStrategy = async (input) =>
  fallBackToSearch(input, 'The goal asks for a model to plan and none is set up here, so I plan by rule.')

/** Plans by search instead of a model. `remark` gives the reason in the room. */
export function fallBackToSearch(input: PlanningInput, remark: string, made?: ModelUsage): PlanningResult {
  const planned = planBySearch(input)
  return 'plan' in planned ? { ...planned, summary: `${remark} ${planned.summary}`, ...(made && { made }) } : planned
}

/** A plan that follows the client's preferences about the team, or the reason why there is none. A pasted table is read where the text has no plan. */
export function planBySearch(input: PlanningInput): PlanningResult {
  const { text, attachments, answers } = input.goal
  const question = attachments.length === 0 && answers.length === 0 ? askBack(text) : undefined
  if (question !== undefined) return { question }
  const planned = planWithPreferences(input)
  return 'plan' in planned ? planned : (planOverPastedTable(input, planWithPreferences) ?? planned)
}

function planWithPreferences(input: PlanningInput): PlanningResult {
  const { team } = input
  if (!team) return planWith(input)
  const allowed = filterOffersByTeamPreferences(input.offers, team)
  const preferred = preferAgents(allowed, team.prefer)
  const teams = [preferred, allowed, ...(team.max_agents === undefined ? [] : smallTeams(preferred, team.max_agents))]
  let first: PlanningResult | undefined
  for (const offers of teams) {
    const planned = planWith({ ...input, offers })
    if (!('plan' in planned)) {
      first ??= planned
      continue
    }
    const [fault] = planTeamFaults(planned.plan, team)
    if (fault === undefined) return planned
    first = { reason: `There is no plan that follows your choice of agents: ${fault}`, later: true }
  }
  return first ?? planWith({ ...input, offers: allowed })
}

function planWith(input: PlanningInput): PlanningResult {
  const read = translateGoalToEnglish(input.goal)
  if ('reason' in read) {
    // Short English resembles other languages. A plan of one step rests on all words.
    const planned = planEnglishGoal(input)
    return 'plan' in planned && planned.plan.steps.length === 1 ? planned : { reason: read.reason, later: false }
  }
  const planned = planEnglishGoal({ ...input, goal: read.goal })
  if (read.language === 'en') return planned
  const notice = (kind: Parameters<typeof noticeOf>[1]): string => noticeOf(read.language, kind)
  const inLanguage = (text: string): string => translatePlannerText(text, read.language) ?? text
  if ('plan' in planned && planned.plan.steps.length > 1 && !areNames(read.unknown, input.offers))
    return { question: `${notice('declined')} ${inLanguage(noMatch(read.reading, input.offers))}`, isUnmatched: true }
  const unread = read.unknown.filter((word) => !isSharedWord(word))
  if ('plan' in planned && unread.length > 0 && !needsNoOtherWords(planned.plan)) return { question: unreadNotice(read.language, unread) }
  if ('plan' in planned) {
    const kind = isAnsweredIn(read.language, planned.plan) ? 'plannedInLanguage' : 'planned'
    return { ...planned, summary: `${notice(kind)} ${inLanguage(summaryInClientWords(planned.summary, input.goal.text))}` }
  }
  if ('reason' in planned) return { ...planned, reason: `${notice('declined')} ${planned.reason}` }
  const question = inLanguage(planned.question)
  const notices = planned.isUnmatched ? [notice('declined')] : question === planned.question ? [notice('question')] : []
  return { ...planned, question: [...notices, question].join(' ') }
}

/** Words that the languages share: abbreviations, symbols of units, and what is too short to change a goal. */
const isSharedWord = (word: string): boolean =>
  word.length < (/\p{Script=Han}/u.test(word) ? 2 : 3) || /^\p{Lu}{2,6}$/u.test(word) || findUnit(word) !== undefined

/** True if the only step draws a code of an address, for which no other word of the goal matters. */
const needsNoOtherWords = ({ steps }: Plan): boolean => steps.length !== 1 || steps[0]?.offer.skill.id === 'image.qr'

/** True if the only step is a tool whose query names the language. */
const isAnsweredIn = (language: string, { steps }: Plan): boolean =>
  steps.length === 1 && (steps[0]?.inputs ?? []).some(({ given }) => given?.data?.answer_language === language)

/**
 * True if every word stands in a listing, such as the name of a company. Otherwise a plan of several steps might use only half of the goal.
 * Unlike a tool, the rules for such plans do not read every word.
 */
function areNames(words: readonly string[], offers: readonly SkillOffer[]): boolean {
  const known = new Set(offers.flatMap(({ skill }) => skill.tags.map((tag) => tag.toLowerCase())))
  return words.every((word) => known.has(word.toLowerCase()))
}

function planEnglishGoal({ goal: written, offers, payable, decimals }: PlanningInput): PlanningResult {
  const known = written.attachments.map(({ name, sha256 }) => `${name}\n${written.heads?.[sha256]?.text ?? ''}`).join('\n')
  const goal = { ...written, text: removeFillerWords(written.text, known) }
  const parsed = parseGoal(goal, offers)
  if ('reason' in parsed) return { reason: parsed.reason, later: false }
  if ('question' in parsed) {
    const { question, unmatched, hint, needs } = parsed
    if (unmatched === undefined) return { question, ...(needs && { needs }) }
    return {
      question: `${noMatch(unmatched, offers)}${hint === undefined ? '' : ` ${hint}`}`,
      isUnmatched: true,
      ...(hint !== undefined && { hint }),
      need: { outputs: [], text: unmatched, max_price: payable.toString() },
    }
  }
  const { intent } = parsed
  const task: PlanningProblem = { wants: intent.wants, givens: intent.givens, offers, payable }
  const plan = searchPlan(task)
  if (!plan) return { ...whyNot(task, decimals) }
  const faults = findPlanErrors(plan, task)
  if (faults.length > 0) throw new Error(`the search returned an invalid plan: ${faults.join(' ')}`)
  const without = plan.left_out.length
    ? ` Without ${formatList(plan.left_out.map(plainTypeName))}, which no agent online offers within the budget.`
    : ''
  const left = unreadByFigures(goal, plan)
  if (left.length > 0)
    return {
      question: `A part of this can be done: ${intent.summary} I do not know what to do with ${formatList(left.map((word) => `“${word}”`))}. Leave that out, or say it in other words.`,
    }
  return { plan, summary: `${intent.summary}${without}`, mode: 'deterministic' }
}

/**
 * Words that a plan on figures would ignore. The rules for such plans search single words. So the name of an unknown company, or any word
 * beside a chart of an attached table, may change the meaning.
 */
function unreadByFigures(goal: GoalInput, plan: Plan): readonly string[] {
  const made = new Set(plan.steps.flatMap(({ outputs }) => outputs))
  if (!made.has('table.series')) return []
  const unused = listUnusedGoalWords(goal, plan)
  const isOfTable = plan.steps.some(({ offer }) => offer.skill.inputs.some(({ type }) => type === 'table.csv' || type === 'table.json'))
  if (isOfTable) return made.has('report.markdown') || made.has('analysis.trend') ? [] : unused.filter((word) => !isInFiles(goal, word))
  const isName = (word: string): boolean =>
    new RegExp(`[\\p{L}\\d,;]\\s+${word.replace(/[^\p{L}\p{N}'’-]/gu, '.')}(?![\\p{L}\\p{N}])`, 'u').test(goal.text)
  return unused.filter((word) => /^\p{Lu}\p{Ll}/u.test(word) && isName(word))
}

/** True if the word stands in the name or at the beginning of an attached file. */
const isInFiles = ({ attachments, heads }: GoalInput, word: string): boolean =>
  attachments.some(({ name, sha256 }) => `${name} ${heads?.[sha256]?.text ?? ''}`.toLowerCase().includes(word.toLowerCase()))

/** Skills that are named to a client whose goal matches none. */
const maxClosest = 3

function noMatch(words: string, offers: readonly SkillOffer[]): string {
  const closest = rankOffers(words, offers).slice(0, maxClosest)
  const names = formatList(closest.map(({ handle, skill }) => `${handle} (${skill.name})`))
  return `No agent online can do this.${closest.length > 0 ? ` Closest: ${names}.` : ''} Say what you want to get in other words, and put a text to work on in quotation marks.`
}

function whyNot(task: PlanningProblem, decimals: number): { reason: string; later: boolean; need: Gap } {
  const needed = task.wants.filter((want) => want.needed).map((want) => want.type)
  const given = new Set(task.givens.map((one) => one.type))
  const possible = reachableTypes(task.offers, given)
  const need: Gap = { outputs: findMissingArtifactTypes(needed, given, task.offers), max_price: task.payable.toString() }
  const missing = needed.filter((type) => !possible.has(type))
  if (missing.length > 0)
    return { reason: `No agent online can make ${formatList(missing.map(plainTypeName))} from the given inputs.`, later: true, need }
  const cheapest = searchPlan({ ...task, wants: task.wants.filter((want) => want.needed), payable: 2n ** 96n })
  const cost = cheapest ? `costs ${formatAmount(cheapest.price, decimals)}` : 'costs more'
  return {
    reason: `The cheapest team ${cost}, and ${formatAmount(task.payable, decimals)} of the budget may be spent on it.`,
    later: true,
    need,
  }
}
