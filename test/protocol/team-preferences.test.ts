import { TeamPreferences, teamPreferenceFaults } from '@parley/protocol'
import { describe, expect, it } from 'vitest'

const agent = (n: number) => `agt_${n.toString(16).padStart(32, '0')}` as const
const step = (number: number, n: number, more = {}) => ({ step: number, agent_id: agent(n), sender_id: `did:${n}`, ...more })
const charter = { principal_id: 'did:9', steps: [step(1, 1), step(2, 2), step(3, 9)] }
const faults = (wanted: object, of: Parameters<typeof teamPreferenceFaults>[0] = charter) =>
  teamPreferenceFaults(of, TeamPreferences.parse(wanted))

describe('teamPreferenceFaults', () => {
  it('finds nothing without preferences of the client', () => expect(faults({})).toEqual([]))
  it('finds excluded agents, also as advisers', () => {
    expect(faults({ exclude: [agent(2), agent(7)] })).toEqual([`The client excludes the agent ${agent(2)}.`])
    expect(faults({ exclude: [agent(7)] }, { ...charter, advisers: [{ agent_id: agent(7) }] })).toHaveLength(1)
  })
  it('finds that a required agent has no step', () => {
    expect(faults({ require: [agent(1), agent(7)] })).toEqual([`The client requires the agent ${agent(7)}, which has no step.`])
  })
  it('counts agents and not steps, the planner not', () => {
    expect(faults({ max_agents: 2 })).toEqual([])
    expect(faults({ max_agents: 1 })).toEqual(['The team has 2 agents besides the planner. The client allows 1.'])
    expect(faults({ max_agents: 1 }, { ...charter, steps: [step(1, 1), step(2, 1)] })).toEqual([])
  })
  it('finds sub-teams, except canceled steps', () => {
    const nested = { ...charter, steps: [...charter.steps, step(4, 2, { parent: 1 })] }
    expect(faults({ sub_hiring: false }, nested)).toEqual(['Step 4 belongs to a sub-team. The client allows none.'])
    expect(faults({ sub_hiring: false }, { ...charter, steps: [step(4, 2, { parent: 1, canceled: true })] })).toEqual([])
  })
})
