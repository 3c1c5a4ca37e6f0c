import type { RunStep, RunTask, RunView } from '../../../../../app/goals/[id]/_run/run-view.ts'

export const market = { symbol: 'USDC', decimals: 6, feeBps: 250 }

export function step(fields: Partial<RunStep> & { step: number }): RunStep {
  return {
    title: `Step ${fields.step}`,
    skillId: 'chart.draw_text',
    agentId: `agt_${fields.step}`,
    amount: 1_000_000n,
    mode: 'async',
    dependsOn: [],
    state: 'planned',
    taskId: null,
    parent: null,
    roomId: null,
    canceled: false,
    isOnHold: false,
    payout: null,
    ...fields,
  }
}

export function task(fields: Partial<RunTask> & { step: number }): RunTask {
  return {
    id: `tsk_${fields.step}`,
    epoch: 1,
    agentId: `agt_${fields.step}`,
    state: 'working',
    acceptance: null,
    done: null,
    failure: null,
    ...fields,
  }
}

export const now = new Date('2026-11-21T12:00:00Z')

export function run(fields: Partial<Omit<RunView, 'goal'>> & { goal?: Partial<RunView['goal']> } = {}): RunView {
  const { goal, ...rest } = fields
  return {
    goal: {
      id: 'gol_1',
      state: 'underway',
      clientId: 'did:pkh:eip155:31337:0x1',
      budget: 10_000_000n,
      deadline: new Date('2026-11-21T12:41:00Z'),
      reviewBy: null,
      outcome: null,
      principalId: null,
      ...goal,
    },
    hold: { rail: 'escrow', state: 'authorized', total: 10_000_000n, feeBps: 250, isSigned: true, failure: null },
    team: { state: 'sealed', version: 1, isRecorded: true, answers: [] },
    steps: [],
    tasks: [],
    hasOpenQuestion: false,
    approval: null,
    ...rest,
  }
}
