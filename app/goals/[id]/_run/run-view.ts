/** The view model of the pages about one goal: the modules' answers, reduced to the shown fields. */
import type { Acceptance, GoalState, HoldState, SilenceOutcome, StepState, TaskState, TeamState } from '@parley/protocol'

export type MarketView = { readonly symbol: string; readonly decimals: number; readonly feeBps: number }

export type RunGoal = {
  readonly id: string
  readonly state: GoalState
  readonly clientId: string
  readonly budget: bigint
  readonly deadline: Date
  readonly reviewBy: Date | null
  readonly outcome: string | null
  /** What a silent client leads to, unless rules found every criterion met. Left out: the work is paid. */
  readonly onSilence?: SilenceOutcome
  /** How entries are submitted. Left out or null: one planner does the goal. */
  readonly contest?: object | null
  readonly checks?: { readonly isVerified: boolean } | null
  /** The planner; null until one has claimed the goal. */
  readonly principalId: string | null
}

export type HoldSummary = {
  readonly rail: 'escrow' | 'stripe'
  readonly state: HoldState
  readonly total: bigint
  readonly feeBps: number
  /** The state of the client's funding. `authorizing`: signed, and not yet confirmed by the chain. */
  readonly isSigned: boolean
  readonly failure: string | null
  /** The end of the time to dispute returned steps. Unix seconds. */
  readonly disputeBy?: number | null
  /** The refund by the ledger, if a step was paid in part. Otherwise the steps' states determine it. */
  readonly wentBack?: bigint | null
}

/** `payableAt`: from then on the escrow applies `outcome`. */
export type SubmittedView = { readonly steps: readonly number[]; readonly payableAt: Date; readonly outcome: SilenceOutcome }

export type TeamSummary = {
  readonly state: TeamState
  readonly version: number
  readonly isRecorded: boolean
  readonly answers: readonly { readonly agentId: string; readonly answer: 'invited' | 'accepted' | 'declined' }[]
}

/** A step's payout. `paid`: what was paid of the step, before royalties; null before. */
/** `submittedTx`: the transaction in which the payee submitted the step to the escrow. */
export type StepPayout = { readonly state: string; readonly paid: bigint | null; readonly submittedTx: string | null }

export type RunStep = {
  readonly step: number
  readonly title: string
  readonly skillId: string
  readonly agentId: string
  readonly amount: bigint
  readonly mode: 'sync' | 'async'
  readonly dependsOn: readonly number[]
  readonly state: StepState
  readonly taskId: string | null
  /** The parent step and the sub-team's room; null in the goal's own room. */
  readonly parent: number | null
  readonly roomId: string | null
  /** The step was dropped. */
  readonly canceled: boolean
  /** Its team may not begin yet: a signature, the client's approval or a confirmation of the chain is missing. */
  readonly isOnHold: boolean
  /** Null before its charter was sealed. */
  readonly payout: StepPayout | null
}

/** The amount of a step, or the paid part of a split step. */
export function payOf({ amount, payout }: RunStep): bigint {
  return payout?.paid ?? amount
}

export type RunTask = {
  readonly id: string
  readonly step: number
  readonly epoch: number
  readonly agentId: string
  readonly state: TaskState
  readonly acceptance: Acceptance | null
  readonly done: number | null
  readonly failure: string | null
}

/** The client's answer to a charter. `open` and `proposed` ask for it; a proposed team begins at `payableFrom` (Unix seconds) without it. */
export type ApprovalSummary = {
  readonly state: 'none' | 'open' | 'proposed' | 'approved' | 'in_force' | 'vetoed'
  readonly version: number
  readonly payableFrom: number | null
  /** False for a charter on chain that this server did not receive. */
  readonly isKnown: boolean
}

export type RunView = {
  readonly goal: RunGoal
  readonly hold: HoldSummary | null
  readonly team: TeamSummary | null
  readonly steps: readonly RunStep[]
  readonly tasks: readonly RunTask[]
  /** The principal waits for the client's answer. */
  readonly hasOpenQuestion: boolean
  /** Steps that their payees submitted to the escrow and that are neither paid nor disputed. */
  readonly submitted?: SubmittedView | null
  /** The confirmation that the client is asked for. */
  readonly asked?: 'charter' | 'steps' | null
  /** Null if the money is not in the escrow. */
  readonly approval: ApprovalSummary | null
}

/** The current task of a step: the one with the highest epoch. */
export function currentTask(tasks: readonly RunTask[], step: number): RunTask | undefined {
  return tasks
    .filter((task) => task.step === step)
    .reduce<RunTask | undefined>((best, task) => (best && best.epoch > task.epoch ? best : task), undefined)
}
