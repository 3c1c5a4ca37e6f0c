import { checkAnswerExists, checkCriterion, type Deliverable, readCriterionRule } from '../../../agents/builtin/reviewer/criteria/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { type ArtifactView, listNewestArtifactsUnchecked, readFileUnchecked } from '../../tasks/index.ts'
import { advanceGoal, type CriterionCheck, type Goal, type GoalChecks } from '../goal.ts'
import { goalFromRow, lockGoal, saveGoal } from '../goal-store.ts'
import { getGoalRowUnchecked } from '../read-goals.ts'
import { scheduleReviewEnd } from './schedule-review-end.ts'

type Review = Extract<Goal, { state: 'review' }>

/** Of larger files only type and size are checked. Bytes. */
const maxTextBytes = 1_048_576
const maxFiles = 40
/** Not part of what the client asked for: the bundle repeats the other files. */
const accompanying = new Set(['answer.bundle', 'review.verdict'])
const isText = /^text\/|^application\/(?:json|xml|yaml)|^image\/svg/
/** The first check of every delivery, beside the client's criteria. No rule decides whether an answer is right. */
const hasAnswer = 'There is an answer.'

/** After a delivery: checks each criterion for which there is a rule. Runs once for each conclusion. */
export async function checkCriteriaByRules(ctx: Context, goalId: string): Promise<void> {
  const goal = goalFromRow(await getGoalRowUnchecked(ctx, goalId))
  if (!isUnchecked(goal)) return
  // Reading and checking files needs no lock.
  const checks = await checksOf(ctx, goal)
  await inTransaction(ctx, async (tx) => {
    const now = await lockGoal(tx, goalId)
    if (!isUnchecked(now) || now.conclusionSeq !== goal.conclusionSeq) return
    const checked = advanceGoal(now, { type: 'goal.check', checks })
    await saveGoal(tx, checked)
    if (checked.state === 'review') await scheduleReviewEnd(tx, checked)
    await announceChecks(tx, checked, checks)
  })
}

const isUnchecked = (goal: Goal): goal is Review =>
  goal.state === 'review' && goal.outcome === 'delivered' && goal.checks?.seq !== goal.conclusionSeq

async function checksOf(ctx: Context, goal: Review): Promise<GoalChecks> {
  const deliverables = await listDeliverables(ctx, goal)
  const answer: CriterionCheck = { text: hasAnswer, ...checkAnswerExists(goal.text, deliverables) }
  const criteria = goal.criteria.map(({ text }): CriterionCheck => {
    const rule = readCriterionRule(text)
    return { text, ...(rule ? checkCriterion(rule, deliverables) : { status: 'unchecked', evidence: '' }) }
  })
  const all = [answer, ...criteria]
  return { seq: goal.conclusionSeq, isVerified: all.every(({ status }) => status === 'met'), criteria: all }
}

/** The text of the conclusion, and the files that it names. */
async function listDeliverables(ctx: Context, goal: Review): Promise<Deliverable[]> {
  const parts = (Array.isArray(goal.answer) ? goal.answer : []) as readonly { text?: unknown; artifact?: { sha256?: unknown } }[]
  const text = parts.flatMap((part) => (typeof part.text === 'string' ? part.text : [])).join('\n')
  const named = new Set(parts.flatMap(({ artifact }) => (typeof artifact?.sha256 === 'string' ? artifact.sha256 : [])))
  const { artifacts } = await listNewestArtifactsUnchecked(ctx, goal.id)
  const files = artifacts.filter((file) => named.has(file.sha256) && !file.erased_at && !accompanying.has(file.artifact_type))
  const read = await Promise.all(files.slice(0, maxFiles).map((file) => readDeliverable(ctx, file)))
  // The principal's own words introduce the files. They are the answer only if there is no file.
  return read.length > 0 ? read : [{ name: 'The answer', mediaType: 'text', text, size: text.length }]
}

async function readDeliverable(ctx: Context, { sha256, name, media_type: mediaType, size }: ArtifactView): Promise<Deliverable> {
  const isReadable = isText.test(mediaType) && size <= maxTextBytes
  // A damaged file is reported by `readFileUnchecked`. Here it counts as unreadable.
  const bytes = isReadable ? await readFileUnchecked(ctx, sha256).catch(() => null) : null
  const text = bytes && new TextDecoder().decode(bytes)
  return { name, mediaType, text, size }
}

async function announceChecks(tx: Context, goal: Goal, { criteria, isVerified }: GoalChecks): Promise<void> {
  const count = (wanted: CriterionCheck['status']) => criteria.filter(({ status }) => status === wanted).length
  const failures = criteria.filter(({ status }) => status === 'failed').map(({ text, evidence }) => `“${text}” ${evidence}`)
  const sums = `Rules found ${count('met')} of ${criteria.length} criteria met`
  const rest = isVerified ? '.' : `, ${count('failed')} not met, and ${count('unchecked')} that no rule can check.`
  await postSystemMessage(tx, {
    roomId: goal.roomId,
    state: 'conclusion',
    kind: 'criteria.checked',
    text: [`${sums}${rest}`, ...failures].join(' ').slice(0, 4_000),
    data: { goal_id: goal.id, seq: goal.conclusionSeq, verified: isVerified, criteria: criteria.map((one) => ({ ...one })) },
  })
}
