/** The state of the posting wizard, and its conversion to a goal. Values are text as typed, and parsed at the end. */
import {
  Criterion,
  defaultRevisionRounds,
  formatAmount,
  type GivenValue,
  GoalBrief,
  limits,
  longestGoalDays,
  maxGoalText,
  type PlannerMode,
  parseAmount,
  type SilenceOutcome,
  shownName,
  silenceOutcomes,
  uploadBytes,
} from '@parley/protocol'
import type { Translate } from '../../../_messages/translate-types.ts'
import { type ContestDraft, readContest } from './contest-draft.ts'
import { type DraftAttachment, maxAttachments } from './draft-attachment.ts'
import { localTime } from './local-time.ts'

export type GoalDraft = ContestDraft & {
  /** The idempotency key of the post: a repeated post after a lost answer repeats the answer. */
  readonly id: string
  readonly text: string
  /** What the person wrote before a suggested reading was chosen. Empty: nothing was chosen. */
  readonly originalText: string
  readonly criteria: readonly string[]
  /** What the form of a question gave. */
  readonly values: readonly GivenValue[]
  readonly budget: string
  /** The value of an `<input type="datetime-local">`, in the person's time zone. */
  readonly deadline: string
  readonly reviewHours: string
  /** How often changes can be requested. */
  readonly revisionRounds: string
  /** The review if rules find every criterion met, hours. Empty: as long as any. */
  readonly checkedReviewHours: string
  /** What happens if the client does not answer. */
  readonly onSilence: SilenceOutcome
  /** By how much the deadline can be extended later, hours. */
  readonly extensionHours: string
  /** Ids of agents, as typed. */
  readonly preferredAgents: string
  readonly requiredAgents: string
  readonly excludedAgents: string
  /** Empty: no limit. */
  readonly maxAgents: string
  readonly allowsSubTeams: boolean
  readonly visibility: 'public' | 'private'
  readonly planner: PlannerMode
  /** Ids of the agents that may plan it, as typed. Empty: the visibility decides. */
  readonly planners: string
  /** This browser approves a team as soon as all of its members have signed. */
  readonly approvesTeam: boolean
  /** The veto window of a team that was not approved, hours. 0: such a team is rejected. */
  readonly vetoHours: string
  /** The rail: from the wallet into the escrow, or by card. */
  readonly rail: 'escrow' | 'stripe'
  readonly attachments: readonly DraftAttachment[]
  readonly attachmentReaders: 'team' | 'everyone'
  /** Other planners may try a goal for which there is no quote. */
  readonly isOpenBounty: boolean
  /** The concluded goal whose work this one continues. Empty: none. */
  readonly followsId: string
}

/** `atOnce`: shown while the person types. Others are shown when the person continues. */
export type DraftFault = { readonly field: keyof GoalDraft; readonly text: string; readonly atOnce?: true }

/** The page of the wizard for each field. */
export const pageOf = {
  id: 0,
  text: 0,
  originalText: 0,
  criteria: 0,
  values: 0,
  isContest: 0,
  maxEntries: 0,
  entriesBy: 0,
  checkKind: 0,
  checkText: 0,
  attachments: 0,
  attachmentReaders: 0,
  isOpenBounty: 0,
  followsId: 0,
  budget: 1,
  deadline: 1,
  reviewHours: 1,
  revisionRounds: 1,
  checkedReviewHours: 1,
  onSilence: 1,
  extensionHours: 1,
  preferredAgents: 1,
  requiredAgents: 1,
  excludedAgents: 1,
  maxAgents: 1,
  allowsSubTeams: 1,
  visibility: 1,
  planner: 1,
  planners: 1,
  approvesTeam: 1,
  vetoHours: 1,
  rail: 2,
} as const satisfies { readonly [field in keyof GoalDraft]: number }

const dayMs = 86_400_000
/** The maximum characters of the goal's text and of one criterion. */
export const maxTextLength = maxGoalText
export const maxCriterionLength = Criterion.shape.text.maxLength ?? Number.POSITIVE_INFINITY
/** Of a dollar token's base units. */
const cent = 10_000n
const minByCard = 50n * cent

/** The maximum Base64 size of all files together, because one request contains them and the goal. */
const maxContentLength = limits.requestBytes - 524_288

/** "2026-11-28T17:00", local, `days` from now on the full hour. */
export function localDeadline(now: Date, days: number): string {
  const at = new Date(now.getTime() + days * dayMs)
  at.setMinutes(0, 0, 0)
  return localTime(at)
}

export function emptyDraft(id: string, now: Date): GoalDraft {
  return {
    id,
    text: '',
    originalText: '',
    criteria: [''],
    values: [],
    isContest: false,
    maxEntries: '4',
    entriesBy: localDeadline(now, 0.5),
    checkKind: 'none',
    checkText: '',
    budget: '10.00',
    deadline: localDeadline(now, 2),
    reviewHours: '72',
    revisionRounds: String(defaultRevisionRounds),
    checkedReviewHours: '24',
    onSilence: 'pay',
    extensionHours: '24',
    preferredAgents: '',
    requiredAgents: '',
    excludedAgents: '',
    maxAgents: '',
    allowsSubTeams: true,
    visibility: 'public',
    planner: 'deterministic',
    planners: '',
    approvesTeam: false,
    vetoHours: '24',
    rail: 'escrow',
    attachments: [],
    attachmentReaders: 'team',
    isOpenBounty: false,
    followsId: '',
  }
}

/** `unknownPlanner`: a typed id that belongs to no planner; null if there is none, or before the check. */
export type GoalDraftFacts = {
  readonly decimals: number
  readonly now: Date
  readonly balance: bigint | null
  /** The market's minimum budget, base units. */
  readonly min: bigint
  /** The criteria of the quote, if the client writes none. */
  readonly suggestedCriteria?: readonly string[]
  /** The price of the quoted plan with its fee, base units: a smaller budget cannot pay it. */
  readonly quoted?: { readonly total: bigint; readonly fee: bigint }
  readonly unknownPlanner?: string | null
  /** Whether steps on the escrow can be disputed. */
  readonly hasArbitrator: boolean
}

/** What silence can do on a rail. Without an arbitrator, a dispute cannot stop the escrow, so silence refunds. */
export const silenceOutcomesOn = (rail: GoalDraft['rail'], hasArbitrator: boolean): readonly SilenceOutcome[] =>
  rail === 'stripe' || hasArbitrator ? silenceOutcomes : ['refund']

export function offeredSilence({ rail, onSilence }: Pick<GoalDraft, 'rail' | 'onSilence'>, hasArbitrator: boolean): SilenceOutcome {
  return silenceOutcomesOn(rail, hasArbitrator).includes(onSilence) ? onSilence : 'refund'
}

/** The typed ids of planners. */
export const plannerIdsOf = (draft: Pick<GoalDraft, 'planners'>): readonly string[] =>
  draft.planners.split(/[\s,]+/).filter((id) => id !== '')

type TeamFields = Pick<GoalDraft, 'preferredAgents' | 'requiredAgents' | 'excludedAgents' | 'maxAgents' | 'allowsSubTeams'>

const idsIn = (typed: string): string[] => typed.split(/[\s,]+/).filter((id) => id !== '')

/** What the draft says about the team; undefined if nothing. */
export function teamOf(draft: TeamFields) {
  const [prefer, require, exclude] = [idsIn(draft.preferredAgents), idsIn(draft.requiredAgents), idsIn(draft.excludedAgents)]
  const max = draft.maxAgents.trim()
  if (prefer.length + require.length + exclude.length === 0 && max === '' && draft.allowsSubTeams) return undefined
  return { prefer, require, exclude, sub_hiring: draft.allowsSubTeams, ...(max !== '' && { max_agents: Number(max) }) }
}

/** The minimum budget on a rail, base units; `least`: the market's. */
export const minBudgetOf = (rail: GoalDraft['rail'], min: bigint): bigint => (rail === 'stripe' && minByCard > min ? minByCard : min)

/** The goal of a draft, or the faults of its fields. */
export function readDraft(
  draft: GoalDraft,
  facts: GoalDraftFacts,
  t: Translate<'views.goalDraftFaults'>,
): { readonly ok: true; readonly goal: GoalBrief } | { readonly ok: false; readonly faults: readonly DraftFault[] } {
  const { budget, fault } = readBudget(draft, facts, t)
  const deadline = new Date(draft.deadline)
  const faults = [...(fault ? [fault] : []), ...deadlineFaults(deadline, facts.now, t), ...lengthFaults(draft, t)]
  const written = draft.criteria.map((text) => text.trim()).filter((text) => text !== '')
  const criteria = written.length > 0 ? written : (facts.suggestedCriteria ?? [])
  const planners = plannerIdsOf(draft)
  const team = draft.isContest ? undefined : teamOf(draft)
  const { contest, faults: contestFaults } = readContest(draft, { now: facts.now, deadline }, t)
  faults.push(...contestFaults)
  const parsed = GoalBrief.safeParse({
    text: draft.text,
    ...(draft.originalText !== '' && draft.originalText !== draft.text.trim() && { original_text: draft.originalText }),
    criteria: criteria.map((text) => ({ text })),
    ...(draft.values.length > 0 && { values: draft.values }),
    ...(contest && { contest }),
    budget: budget.toString(),
    deadline: Number.isNaN(deadline.getTime()) ? facts.now.toISOString() : deadline.toISOString(),
    review_hours: Number(draft.reviewHours),
    ...(draft.checkedReviewHours.trim() !== '' && { checked_review_hours: Number(draft.checkedReviewHours) }),
    on_silence: offeredSilence(draft, facts.hasArbitrator),
    max_extension_hours: draft.extensionHours.trim() === '' ? 0 : Number(draft.extensionHours),
    ...(team && { team }),
    revision_rounds: draft.revisionRounds.trim() === '' ? Number.NaN : Number(draft.revisionRounds),
    visibility: draft.visibility,
    // A contest is planned by its entrants.
    planner: draft.isContest ? 'deterministic' : draft.planner,
    ...(planners.length > 0 && { planners }),
    veto_hours: Number(draft.vetoHours),
    rail: draft.rail,
    attachment_readers: draft.attachmentReaders,
    ...(draft.followsId !== '' && { follows: draft.followsId }),
  })
  // The field's own message is more specific than the schema's.
  for (const issue of parsed.error?.issues ?? []) {
    const [first, second] = issue.path.map(String)
    const field = first === 'team' ? teamFieldOf[second ?? ''] : fieldOfPath[first ?? '']
    if (field && !faults.some((fault) => fault.field === field)) faults.push(faultOf(field, issue.message, t))
  }
  const { unknownPlanner = null } = facts
  if (unknownPlanner !== null && !faults.some((fault) => fault.field === 'planners'))
    faults.push({ field: 'planners', text: t('noPlannerListed', { agent: unknownPlanner }), atOnce: true })
  faults.push(...attachmentFaults(draft, t))
  if (faults.length > 0 || !parsed.success) return { ok: false, faults }
  return { ok: true, goal: parsed.data }
}

/** The field of the draft for each field of the goal that the schema checks. */
const fieldOfPath: { readonly [path: string]: keyof GoalDraft } = {
  text: 'text',
  criteria: 'criteria',
  values: 'values',
  budget: 'budget',
  review_hours: 'reviewHours',
  revision_rounds: 'revisionRounds',
  checked_review_hours: 'checkedReviewHours',
  max_extension_hours: 'extensionHours',
  planners: 'planners',
  veto_hours: 'vetoHours',
}

const teamFieldOf: { readonly [path: string]: keyof GoalDraft } = {
  prefer: 'preferredAgents',
  require: 'requiredAgents',
  exclude: 'excludedAgents',
  max_agents: 'maxAgents',
}

/** The budget in base units; 0 if it is not an amount. */
function readBudget(
  draft: GoalDraft,
  facts: GoalDraftFacts,
  t: Translate<'views.goalDraftFaults'>,
): { budget: bigint; fault: DraftFault | null } {
  try {
    const budget = parseAmount(draft.budget, facts.decimals)
    const text = budgetFault(budget, draft.rail, facts, t)
    // A budget below the plan is said at once: the plan is known.
    const isBelowPlan = facts.quoted !== undefined && budget < facts.quoted.total + facts.quoted.fee
    return { budget, fault: text === null ? null : { field: 'budget', text, ...(isBelowPlan && { atOnce: true as const }) } }
  } catch (error) {
    const text = error instanceof RangeError ? error.message : t('writeAnAmount')
    return { budget: 0n, fault: { field: 'budget', text } }
  }
}

function budgetFault(budget: bigint, rail: GoalDraft['rail'], facts: GoalDraftFacts, t: Translate<'views.goalDraftFaults'>): string | null {
  if (budget <= 0n) return t('setAsideMoreThanNothing')
  const { quoted } = facts
  if (quoted && budget < quoted.total + quoted.fee)
    return t('belowPlan', {
      plan: formatAmount(quoted.total, facts.decimals),
      fee: formatAmount(quoted.fee, facts.decimals),
      min: formatAmount(quoted.total + quoted.fee, facts.decimals),
    })
  if (budget < facts.min) return t('minimumBudget', { amount: formatAmount(facts.min, facts.decimals) })
  if (rail === 'stripe' && (budget < minByCard || budget % cent !== 0n)) return t('cardIsChargedWholeCents')
  if (rail === 'escrow' && facts.balance !== null && budget > facts.balance) return t('moreThanYourWalletHolds')
  return null
}

function deadlineFaults(deadline: Date, now: Date, t: Translate<'views.goalDraftFaults'>): DraftFault[] {
  const ms = deadline.getTime() - now.getTime()
  if (Number.isNaN(ms)) return [{ field: 'deadline', text: t('chooseDayAndTime') }]
  if (ms < 60_000) return [{ field: 'deadline', text: t('chooseTimeToCome') }]
  if (ms > longestGoalDays * dayMs) return [{ field: 'deadline', text: t('chooseTimeWithin', { days: longestGoalDays }), atOnce: true }]
  return []
}

function attachmentFaults({ attachments }: GoalDraft, t: Translate<'views.goalDraftFaults'>): DraftFault[] {
  const texts = [
    ...(attachments.length > maxAttachments ? [t('atMostFiles', { count: maxAttachments })] : []),
    ...attachments.filter((file) => file.size > uploadBytes).map((file) => t('fileTooLarge', { name: shownName(file.name) })),
    ...(attachments.reduce((sum, file) => sum + file.content.length, 0) > maxContentLength ? [t('filesTooLarge')] : []),
  ]
  return texts.map((text) => ({ field: 'attachments', text }))
}

function faultOf(field: keyof GoalDraft, message: string, t: Translate<'views.goalDraftFaults'>): DraftFault {
  if (field === 'planners') return { field, text: t('nameUpToEightAgents'), atOnce: true }
  if (field === 'vetoHours') return { field, text: t('writeHours') }
  if (field === 'preferredAgents' || field === 'requiredAgents' || field === 'excludedAgents')
    return { field, text: t('nameAgentsById'), atOnce: true }
  if (field === 'maxAgents') return { field, text: t('writeTeamSize') }
  if (field === 'extensionHours') return { field, text: t('writeExtension') }
  if (field === 'checkedReviewHours') return { field, text: t('writeCheckedHours') }
  if (field === 'revisionRounds') return { field, text: t('writeRounds') }
  return { field, text: field === 'reviewHours' ? t('giveYourselfHours') : message }
}

/** Texts that are too long are reported at once, and never truncated. */
function lengthFaults({ text, criteria }: GoalDraft, t: Translate<'views.goalDraftFaults'>): DraftFault[] {
  const faults: DraftFault[] = []
  if (text.trim().length > maxTextLength)
    faults.push({ field: 'text', text: t('shortenText', { characters: figures(maxTextLength) }), atOnce: true })
  const long = criteria.flatMap((one, index) => (one.trim().length > maxCriterionLength ? [index + 1] : []))
  if (long.length > 0) {
    const values = { count: long.length, numbers: long.join(', '), characters: maxCriterionLength }
    faults.push({ field: 'criteria', text: t('shortenCriteria', values), atOnce: true })
  }
  return faults
}

const figures = (count: number): string => count.toLocaleString('en')

const shape = emptyDraft('', new Date(0))

/** A saved draft; null if it is missing, of an older version, or damaged. */
export function restoreDraft(saved: string | null): GoalDraft | null {
  if (!saved) return null
  try {
    const value: unknown = JSON.parse(saved)
    if (typeof value !== 'object' || value === null) return null
    const isSame = Object.entries(shape).every(([key, sample]) => {
      const found = (value as { [key: string]: unknown })[key]
      return Array.isArray(sample) ? Array.isArray(found) : typeof found === typeof sample
    })
    return isSame ? (value as GoalDraft) : null
  } catch {
    return null
  }
}
