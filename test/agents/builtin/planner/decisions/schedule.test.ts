import type { Charter, CharterStep } from '@parley/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decideWorkUnderCharter } from '../../../../../agents/builtin/planner/decisions/decide-work-under-charter.ts'
import type { Action } from '../../../../../agents/builtin/planner/decisions/planner-decision.ts'
import { emptyPlannerKnowledge } from '../../../../../agents/builtin/planner/decisions/planner-knowledge.ts'
import { executionModes } from '../../../../../agents/builtin/planner/plan/plan.ts'
import { emptyRoomState, type PlannerRoomState } from '../../../../../agents/builtin/planner/room/planner-room-state.ts'
import { didOf, goalOffer } from '../../market.ts'
import { self } from '../../simulated-room.ts'

/** Steps that need some of those before them, at random, with the principal's own at the end. */
const graphs = fc
  .array(fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), { minLength: 1, maxLength: 12 })
  .map((rows) =>
    rows.map((row, index) => ({ step: index + 1, depends_on: row.slice(0, index).flatMap((on, before) => (on ? [before + 1] : [])) })),
  )

const charterOf = (edges: readonly { step: number; depends_on: number[] }[]): Charter => {
  const modes = executionModes(edges)
  const steps = edges.map(
    ({ step, depends_on }, index) =>
      ({
        step,
        depends_on,
        title: `Step ${step}`,
        mode: modes[index],
        sender_id: didOf(`worker-${step}`),
        inputs: [],
        outputs: ['text.plain'],
        amount: '1',
      }) as unknown as CharterStep,
  )
  const own = { ...steps[0], step: steps.length + 1, sender_id: self.did, depends_on: steps.map((step) => step.step), mode: 'sync' }
  return { version: 1, principal_id: self.did, steps: [...steps, own] } as unknown as Charter
}

it('every step is handed out as soon as what it needs is there, for any graph and order of completion', () => {
  fc.assert(
    fc.property(graphs, fc.infiniteStream(fc.nat()), (edges, order) => {
      const charter = charterOf(edges)
      let room: PlannerRoomState = { ...emptyRoomState, charter, recorded: 1 }
      for (;;) {
        for (let next = handed(room, charter); next.length > 0; next = handed(room, charter))
          room = { ...room, attempts: [...room.attempts, ...next.map((action) => attempt(action, charter))] }
        const statusOf = (step: number) => room.attempts.find((one) => one.step === step)?.status
        // The property: every step that can run runs.
        for (const { step, depends_on } of edges)
          if (depends_on.every((before) => statusOf(before) === 'completed')) expect(statusOf(step), `step ${step}`).toBeDefined()
        const open = room.attempts.filter((one) => one.status === 'open')
        const ending = open[(order.next().value as number) % Math.max(1, open.length)]
        if (!ending || ending.agent === self.did) break
        room = { ...room, attempts: room.attempts.map((one) => (one === ending ? { ...one, status: 'completed' } : one)) }
      }
      expect(edges.every(({ step }) => room.attempts.find((one) => one.step === step)?.status === 'completed')).toBe(true)
    }),
    { numRuns: 300 },
  )
})

function handed(room: PlannerRoomState, charter: Charter): Extract<Action, { do: 'assign' }>[] {
  const { actions } = decideWorkUnderCharter(
    { offer: goalOffer(), self, room, knowledge: emptyPlannerKnowledge, now: 0, decimals: 6 },
    charter,
  )
  return actions.filter((action) => action.do === 'assign')
}

const attempt = ({ step, task_id }: Extract<Action, { do: 'assign' }>, charter: Charter): PlannerRoomState['attempts'][number] => ({
  task_id,
  step,
  agent: charter.steps.find((one) => one.step === step)?.sender_id ?? '',
  status: 'open',
  artifacts: [],
  text: '',
  seq: 1,
})
