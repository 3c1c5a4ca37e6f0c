/** What the pages about one goal are drawn from: the rooms' answers, narrowed to what is shown. */
import type { GoalState, HoldState, StepState, TaskState, TeamState } from '@parley/protocol'

export type MarketView = { readonly symbol: string; readonly decimals: number; readonly feeBps: number }

export type RunGoal = {
  readonly id: string
  readonly state: GoalState
  readonly clientId: string
  readonly budget: bigint
  readonly deadline: Date
  readonly reviewBy: Date | null
  readonly outcome: string | null
  /** Who plans it; null until a planner has taken it. */
  readonly principalId: string | null
}

export type HoldSummary = {
  readonly rail: 'escrow' | 'stripe'
  readonly state: HoldState
  readonly total: bigint
  readonly feeBps: number
  /** The client has signed; the chain hasn't confirmed yet while the state is `authorizing`. */
  readonly isSigned: boolean
  readonly failure: string | null
  /** Until when the money of returned steps stays, so that they can be disputed. Unix seconds. */
  readonly disputeBy?: number | null
  /** What the client was sent back, by the ledger, where a step was paid in part; otherwise the steps' states say it. */
  readonly wentBack?: bigint | null
}

export type TeamSummary = {
  readonly state: TeamState
  readonly version: number
  readonly isRecorded: boolean
  readonly answers: readonly { readonly agentId: string; readonly answer: 'invited' | 'accepted' | 'declined' }[]
}

/** A step's share as the settlement has it. `paid`: what its payee was sent; null before. */
export type StepPayout = { readonly state: string; readonly paid: bigint | null }

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
  /** The step that it is part of, and its sub-team's room; null in the goal's own. */
  readonly parent: number | null
  readonly roomId: string | null
  /** Nothing will be done for it any more. */
  readonly canceled: boolean
  /** Its team may not begin yet: a signature, the client's approval or the chain's word is missing. */
  readonly isOnHold: boolean
  /** Null before its charter was sealed. */
  readonly payout: StepPayout | null
}

/** What a step costs, or what it came to where only a part of it was paid. */
export function payOf({ amount, payout }: RunStep): bigint {
  return payout?.state === 'split' ? (payout.paid ?? amount) : amount
}

export type RunTask = {
  readonly id: string
  readonly step: number
  readonly epoch: number
  readonly agentId: string
  readonly state: TaskState
  readonly acceptance: 'pending' | 'accepted' | 'returned' | null
  readonly done: number | null
  readonly failure: string | null
}

/** The client's answer to a charter. `open` and `proposed` ask for it; a proposed team begins at `payableFrom` (Unix seconds) without it. */
export type ApprovalSummary = {
  readonly state: 'none' | 'open' | 'proposed' | 'approved' | 'in_force' | 'vetoed'
  readonly version: number
  readonly payableFrom: number | null
  /** False for a charter on chain that this server never got. */
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
  /** What the client is asked to confirm, where it is asked. */
  readonly asked?: 'charter' | 'steps' | null
  /** Null where the money lies in no escrow. */
  readonly approval: ApprovalSummary | null
}

/** The task that stands for a step now: the one with the highest epoch. */
export function currentTask(tasks: readonly RunTask[], step: number): RunTask | undefined {
  return tasks
    .filter((task) => task.step === step)
    .reduce<RunTask | undefined>((best, task) => (best && best.epoch > task.epoch ? best : task), undefined)
}
