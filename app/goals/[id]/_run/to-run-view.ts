import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import type { Speaker } from '../_message/message-view.ts'
import type { RunView } from './run-view.ts'
import { stateAfter } from './steps/step-status.ts'
import { type DraftView, draftView } from './team/charter-draft-view.ts'

/** Converts the modules' answer to the view model. */
export function toRunView(run: Run): RunView {
  const { goal, hold, team, steps, payouts, tasks, conversation, approval } = run
  return {
    goal,
    hold,
    team: team && {
      state: team.state,
      version: team.version,
      isRecorded: team.recordedAt !== null,
      answers: team.members.map(({ agentId, answer }) => ({ agentId, answer })),
    },
    steps: steps.map((step) => ({
      ...step,
      state: stateAfter(goal.outcome, step.state),
      isOnHold: team?.recordedAt == null,
      payout: payouts.find((one) => one.step === step.step) ?? null,
    })),
    tasks,
    hasOpenQuestion: conversation.openQuestionId !== null,
    submitted: run.submitted,
    asked: draftOf(run)?.asks ?? null,
    approval,
  }
}

/** The charter that waits for the client; null if there is none, or the goal has ended. */
export function draftOf({ draft, team, steps, goal }: Run): DraftView | null {
  if (!draft || (goal.state !== 'open' && goal.state !== 'underway')) return null
  const view = draftView(draft, team && { version: team.version, isRecorded: team.recordedAt !== null }, steps)
  // There is no question once every step has a decision.
  const isSettled = view.state === 'confirmed' && view.lines.every((line) => ['own', 'confirmed', 'begun'].includes(line.status))
  return isSettled ? null : view
}

export type People = {
  readonly speakerOf: (did: string) => Speaker
  readonly nameOf: (agentId: string) => string
}

/** Names by DID and by agent id. Other parties are shown by the start of the identifier. */
export function peopleOf(run: Pick<Run, 'participants'>): People {
  const byDid = new Map(run.participants.map((one) => [one.did, one]))
  const byAgent = new Map(run.participants.flatMap((one) => (one.agentId ? [[one.agentId, one] as const] : [])))
  return {
    speakerOf: (did) => {
      const found = byDid.get(did)
      return found ? { did, name: found.name, role: found.role } : { did, name: did.slice(0, 16), role: 'unknown' }
    },
    nameOf: (agentId) => byAgent.get(agentId)?.name ?? agentId.slice(0, 12),
  }
}
