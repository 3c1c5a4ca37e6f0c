/** Quoted goals for `bench:gas`: the client signs once, and the terms name the team. Run by the whole server, as `goal-gas.ts`. */
import { beOnline, deliverQuoted, publishQuotedTeam, type QuotedTeam } from '../test/support/quoted-team.ts'
import type { TestPerson, TestWorld } from '../test/support/world.ts'
import type { GasTarget } from './gas-targets.ts'

export const quotedGasTargets: readonly GasTarget[] = [
  {
    operation: 'quoted goal as sent: one payee, all of it',
    figure: 'quoted goal of 1',
    target: 185_000,
    rival: { name: 'commerce-payments', gas: 207_883 },
  },
  {
    operation: 'quoted goal as sent: three payees, all of it',
    figure: 'quoted goal of 3',
    target: 210_000,
    rival: { name: 'ERC-8183, a job each', gas: 3 * 497_387 },
  },
]

const sum = { text: 'What is 15% of 240, please?', criteria: ['The result is right.'], deadlineMs: 7_200_000, isQuoted: true }
const chart = {
  ...sum,
  text: 'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format',
  criteria: ['There is a chart in text format.'],
}

/** One publisher of planner and calculator, and two of the agents that look up figures and draw them. */
export async function publishQuotedAgents(world: TestWorld, [first, second, third]: readonly TestPerson[]): Promise<QuotedTeam> {
  if (!first || !second || !third) throw new Error('three publishers are needed')
  return publishQuotedTeam(world, { principal: first, calculator: first, data: second, plotter: third })
}

/** Posts, funds and delivers a quoted goal with so many payees. */
export async function deliverQuotedGoal(world: TestWorld, client: TestPerson, stage: QuotedTeam, payees: 1 | 3): Promise<string> {
  await beOnline(world, stage)
  const { id } = await world.postFundedGoal(client, payees === 1 ? sum : chart)
  const charter = await deliverQuoted(world, stage, id)
  const paid = new Set(charter.steps.map(({ payee }) => payee)).size
  if (paid !== payees) throw new Error(`the quoted goal pays ${paid} payees, not ${payees}`)
  return id
}
