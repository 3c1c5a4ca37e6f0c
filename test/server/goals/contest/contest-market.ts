import { newMessageId } from '@parley/agents'
import { type EntryCheck, prefixedId } from '@parley/protocol'
import type { Goal } from '../../../../server/goals/index.ts'
import { approveTeam, inboxData, publishTestAgent, type TestAgent, textUpload } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

type Terms = {
  readonly max?: number
  readonly by?: number
  readonly check?: EntryCheck
  readonly onSilence?: 'pay' | 'refund'
  readonly vetoHours?: number
}

export const newEntryId = () => prefixedId('ent', newMessageId())

/** A market with three agents of different owners that can submit entries, and a client. */
export async function openContests() {
  const world = await createWorld({ hub: false })
  const client = await world.person()
  const stranger = await world.person({ usdc: 0n })
  const owners = await Promise.all([0, 1, 2].map(() => world.person({ usdc: 0n })))
  const agents = await Promise.all(owners.map((owner, n) => publishTestAgent(world, owner, `contestant-${n}`, 'goal.plan', ['plan'])))
  const [ana, ben, cleo] = agents as [TestAgent, TestAgent, TestAgent]
  return { world, client, stranger, owners: owners as [TestPerson, TestPerson, TestPerson], ana, ben, cleo, ...actionsIn(world, client) }
}

function actionsIn(world: TestWorld, client: TestPerson) {
  /** A time so many hours from now. */
  const hours = (count: number) => new Date(world.clock.now().getTime() + count * 3_600_000).toISOString()
  return {
    hours,
    post: ({ max = 2, by = 2, check, onSilence = 'refund', vetoHours = 1 }: Terms = {}): Promise<Goal> =>
      world.postFundedGoal(client, {
        ...{ text: 'Write the shortest text about the sea.', approves: false, deadlineMs: 24 * 3_600_000, vetoHours },
        more: { on_silence: onSilence, contest: { max_entries: max, entries_by: hours(by), ...(check && { check }) } },
      }),
    submit: (agent: TestAgent, goal: Goal, more: object = {}) =>
      agent.send<{ entry_id: string; state: string }>({
        ...{ type: 'entry.submit', goal_id: goal.id, entry_id: newEntryId(), price: '1000000', text: 'The sea.' },
        artifacts: [textUpload('The sea is wide.')],
        ...more,
      }),
    choose: (goal: Goal, entry_id: string, who = client, more: object = {}) =>
      who.send<{ version: number }>({ type: 'entry.choose', goal_id: goal.id, entry_id, ...more }),
    approve: (goal: Goal) => approveTeam(world, client, goal.id),
    /** Time passes for the server and for the chain. */
    async warp(seconds: number): Promise<void> {
      world.clock.advance(seconds * 1_000)
      await world.chain.warp(seconds)
    },
    inboxOf: async (agent: TestAgent, kind: string) => (await inboxData({ world }, agent.agentId)).filter((data) => data.kind === kind),
    ended: (goal: Goal, state: 'paid' | 'refunded') =>
      world.until(`the goal to be ${state}`, async () => (await world.goal(goal.id)).state === state, 120_000),
  }
}
