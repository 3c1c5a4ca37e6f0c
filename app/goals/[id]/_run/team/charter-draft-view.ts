/** The view model of a charter that waits for its client: the steps, and which of them need a confirmation. */
import type { StepState } from '@parley/protocol'

/** `own`: the principal's, confirmed with the charter. `new`: no decision yet. `waiting`: for other steps. `ready`: for the client. */
export type DraftStepStatus = 'own' | 'new' | 'confirmed' | 'waiting' | 'ready' | 'begun' | 'refused'
export type DraftStep = {
  readonly step: number
  readonly title: string
  readonly agentId: string
  readonly amount: bigint
  readonly after: readonly number[]
  readonly status: DraftStepStatus
}

/** As the server's modules return it. */
export type CharterDraftFacts = {
  readonly charterHash: string
  readonly number: number
  readonly rationale: string
  readonly state: 'submitted' | 'confirmed' | 'refused'
  readonly steps: readonly number[]
  readonly refusedStep: number | null
  readonly reason: string | null
  readonly charter: {
    readonly version: number
    readonly principal_id: string
    readonly steps: readonly {
      readonly step: number
      readonly title: string
      readonly agent_id: string
      readonly sender_id: string
      readonly amount: string
      readonly depends_on: readonly number[]
    }[]
  }
}

export type DraftView = Pick<CharterDraftFacts, 'charterHash' | 'number' | 'rationale' | 'state' | 'refusedStep' | 'reason'> & {
  readonly lines: readonly DraftStep[]
  readonly total: bigint
  /** The current question to the client: the charter, steps that could begin, or none. */
  readonly asks: 'charter' | 'steps' | null
}

type Stands = { readonly step: number; readonly state: StepState }

/** `steps`: those of the charter in force. They have the step states if that is the charter of this draft. */
export function draftView(
  draft: CharterDraftFacts,
  team: { readonly version: number; readonly isRecorded: boolean } | null,
  steps: readonly Stands[],
): DraftView {
  // A team within a step proposes its own next version, based on the one that the client has read.
  const isInForce = draft.state !== 'submitted' && team !== null && team.version >= draft.charter.version && team.isRecorded
  // A step that was done in an earlier version is also done in the next one.
  const stateOf = (step: number) => steps.find((one) => one.step === step)?.state
  const isDone = (step: number) => ['done', 'paid'].includes(stateOf(step) ?? '')
  const lines = draft.charter.steps.map((step): DraftStep => {
    const state = stateOf(step.step)
    const isBegun = isDone(step.step) || (isInForce && state === 'assigned')
    const isFed = isInForce && step.depends_on.every(isDone)
    const status: DraftStepStatus =
      step.sender_id === draft.charter.principal_id
        ? 'own'
        : isBegun
          ? 'begun'
          : draft.refusedStep === step.step
            ? 'refused'
            : draft.steps.includes(step.step)
              ? 'confirmed'
              : draft.state === 'submitted'
                ? 'new'
                : isFed
                  ? 'ready'
                  : 'waiting'
    return { step: step.step, title: step.title, agentId: step.agent_id, amount: BigInt(step.amount), after: step.depends_on, status }
  })
  const asks =
    draft.state === 'submitted' ? 'charter' : draft.state === 'confirmed' && lines.some((line) => line.status === 'ready') ? 'steps' : null
  const { charterHash, number, rationale, state, refusedStep, reason } = draft
  return {
    charterHash,
    number,
    rationale,
    state,
    refusedStep,
    reason,
    lines,
    total: lines.reduce((sum, line) => sum + line.amount, 0n),
    asks,
  }
}
