/** A goal that is a contest: an entry instead of a planner, the product's decision about it, and its delivery by the server. */
import type { ContestEntry } from '../../../server/goals/contest/entry.ts'
import type { ContestTerms } from '../../../server/goals/contest/next-contest-action.ts'
import type { Plan } from '../../contracts/model/types.ts'
import type { Actor, Move } from '../explore.ts'
import { startTime } from './escrow-calls.ts'
import { at, attempt, conclude, type GoalModel, type GoalState, handOver, isWorkAllowed, settleGoal } from './goal.ts'

/** `failed`: it did not pass the check. `chosen`: by the client; `taken`: by the check or by silence. */
export type ModelEntry = 'none' | 'submitted' | 'failed' | 'chosen' | 'taken'
export type ContestKind = 'silence' | 'check'

const entriesBy = startTime + 5 * 86_400

export function contestTerms({ profile, terms }: GoalModel): ContestTerms {
  const check = { kind: 'sha256' as const, sha256: '0'.repeat(64) }
  return {
    contest: { max_entries: 2, entries_by: at(entriesBy).toISOString(), ...(profile.contest === 'check' && { check }) },
    onSilence: profile.silenceRefunds ? 'refund' : 'pay',
    deadline: at(terms.workBy),
    vetoHours: profile.vetoSeconds / 3_600,
  }
}

/** When the product may decide something else. Unix seconds. */
export function contestMoments(model: GoalModel): number[] {
  if (!model.profile.contest) return []
  return [entriesBy, Math.ceil(model.rules.decisionDueAt(contestTerms(model)).getTime() / 1_000)]
}

export function contestMoves(from: GoalState, plan: Plan, model: GoalModel): Move<GoalState>[] {
  const { entry, goal, hold, chain } = from
  const { contest } = model.profile
  if (!contest || entry === undefined || hold.state !== 'authorized') return []
  const moves: Move<GoalState>[] = []
  const add = (name: string, by: Actor, to: () => GoalState | null) => {
    const next = attempt(to)
    if (next) moves.push({ name, by, to: { ...next, chainEvents: [] } })
  }
  const choose = (entry: ModelEntry) => (from.charters.length < model.charters.length ? { ...handOver(from, model), entry } : null)
  const isVetoed = from.charters.at(-1)?.veto != null
  if (goal.state === 'open' && entry === 'none' && chain.time < entriesBy) {
    if (contest === 'silence') add('entry is submitted', 'payee', () => ({ ...from, entry: 'submitted' }))
    else {
      add('entry that fails is submitted', 'payee', () => ({ ...from, entry: 'failed' }))
      add('entry that passes is submitted', 'payee', () => choose('taken'))
    }
  }
  if ((goal.state === 'open' && (entry === 'submitted' || entry === 'failed')) || (goal.state === 'underway' && isVetoed))
    add('entry is chosen', 'client', () => choose('chosen'))
  if (goal.state === 'open') decide(from, model, { add, choose })
  const [step] = from.steps
  const inForce = 'charter' in hold ? hold.charter : null
  if (goal.state === 'underway' && inForce && step?.payout === 'sealed' && isWorkAllowed(plan, inForce.version, chain.time))
    add('entry is delivered', 'server', () => deliver(from, model))
  return moves
}

type Ways = {
  readonly add: (name: string, by: Actor, to: () => GoalState | null) => void
  readonly choose: (entry: ModelEntry) => GoalState | null
}

/** The contest's clock. */
function decide(from: GoalState, model: GoalModel, { add, choose }: Ways): void {
  const entries = from.entry === 'none' ? [] : [{ state: 'submitted' } as ContestEntry]
  const action = model.rules.nextContestAction(contestTerms(model), entries, at(from.chain.time))
  if ('wait' in action) return
  if ('choose' in action) add('contest clock chooses', 'server', () => choose('taken'))
  else add('contest clock ends', 'server', () => conclude(from, model, { outcome: 'failed', from: from.chain.time }))
}

/** The choice accepted the work, so the settlement follows at once. */
function deliver(from: GoalState, model: GoalModel): GoalState {
  const event = { type: 'goal.review', outcome: 'delivered', seq: 1, at: at(from.chain.time), answer: null } as const
  const steps = from.steps.map((step) => ({ ...step, task: 'accepted' as const }))
  return settleGoal({ ...from, steps, goal: model.rules.advanceGoal(from.goal, event) }, model)
}
