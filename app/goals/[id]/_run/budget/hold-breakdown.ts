import { feeOn } from '@parley/protocol'
import { currentTask, payOf, type RunStep, type RunView } from '../run-view.ts'

/** How a hold divides at this moment. The three always sum to `total`. */
export type HoldBreakdown = {
  readonly total: bigint
  /** For finished work that is neither disputed nor returned, with fee: paid to the agents, or paid on acceptance. */
  readonly earned: bigint
  /** Reserved for steps that are unfinished, disputed or returned, with fee. */
  readonly reserved: bigint
  /** Refunded to the client in any case. */
  readonly refundable: bigint
  readonly isSettled: boolean
}

/** Splits the hold into earned, reserved and refundable. The fee is taken once, on the sum, as the escrow does. */
export function holdBreakdown(run: RunView): HoldBreakdown {
  const total = run.hold?.total ?? run.goal.budget
  const feeBps = run.hold?.feeBps ?? 0
  const isSettled = run.goal.state === 'paid' || run.goal.state === 'refunded' || run.goal.state === 'canceled'
  const wentBack = run.hold?.wentBack ?? null
  if (isSettled && wentBack !== null) return { total, earned: total - wentBack, reserved: 0n, refundable: wentBack, isSettled }
  const earnedSteps = sumNumbers(run.steps.filter((step) => (isSettled ? step.state === 'paid' : isEarned(step, run))))
  const openSteps = isSettled ? 0n : sumNumbers(run.steps.filter((step) => !isEarned(step, run) && !isRefunded(step)))
  const earned = earnedSteps + feeOn(earnedSteps, feeBps)
  const all = earnedSteps + openSteps
  const reserved = all + feeOn(all, feeBps) - earned
  return { total, earned, reserved, refundable: total - earned - reserved, isSettled }
}

/** The effect of accepting or stopping now: the paid amount, and the rest in the escrow for disputed and submitted steps. With fees. */
export function acceptanceAmounts(run: RunView): { readonly pays: bigint; readonly stays: bigint; readonly returns: bigint } {
  const feeBps = run.hold?.feeBps ?? 0
  const withFee = (amount: bigint) => amount + feeOn(amount, feeBps)
  const pays = withFee(
    sumNumbers(run.steps.filter((step) => (isEarned(step, run) && step.state === 'done' && !isSettledApart(step)) || isRevised(step, run))),
  )
  const stays = withFee(sumNumbers(run.steps.filter((step) => isDisputed(step) || (isHeldByEscrow(step) && !isRevised(step, run)))))
  const gone = withFee(sumNumbers(run.steps.filter((step) => isSettledApart(step) && !isRefunded(step))))
  return { pays, stays, returns: (run.hold?.total ?? run.goal.budget) - pays - stays - gone }
}

function sumNumbers(steps: readonly RunStep[]): bigint {
  return steps.reduce((sum, step) => sum + payOf(step), 0n)
}

function isDisputed({ payout }: RunStep): boolean {
  return payout?.state === 'disputed'
}

/** Submitted to the escrow and not finished here: no closing takes it back before the end of the review. */
function isHeldByEscrow({ state, payout }: RunStep): boolean {
  return payout?.state === 'sealed' && Boolean(payout.submittedTx) && state !== 'done' && state !== 'paid'
}

function isRefunded(step: RunStep): boolean {
  return (step.state === 'refunded' && !isHeldByEscrow(step)) || step.payout?.state === 'refunded'
}

/** Paid or ended separately, before the rest. */
function isSettledApart({ payout }: RunStep): boolean {
  return payout !== null && ['paid', 'credited', 'split', 'refunded'].includes(payout.state)
}

function isEarned(step: RunStep, run: RunView): boolean {
  if (isDisputed(step) || isRefunded(step)) return false
  if (step.state === 'paid' || isSettledApart(step)) return true
  return step.state === 'done' && currentTask(run.tasks, step.step)?.acceptance !== 'returned'
}

/** Its last delivery counts if the goal is stopped before the requested changes arrive. */
function isRevised({ step, state }: RunStep, { tasks }: RunView): boolean {
  return (
    (state === 'planned' || state === 'assigned') && tasks.some((task) => task.step === step && task.acceptance === 'changes_requested')
  )
}
