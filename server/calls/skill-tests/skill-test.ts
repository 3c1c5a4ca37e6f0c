import { createHash } from 'node:crypto'
import { type ArtifactRef, canonicalize, type Json, type Skill, type TaskInput } from '@parley/protocol'
import { callNotAgent, callWrongState } from '../errors.ts'

/** The time that an agent has for a test task. A person waits for it. */
export const testLeaseMs = 120_000

/** One free test task, sent by the publisher to its own agent. `faults`: why it failed, in sentences. */
export type SkillTest = {
  readonly id: string
  readonly agentId: string
  readonly skillId: string
  readonly digest: string
  readonly version: number
  readonly state: 'requested' | 'passed' | 'failed'
  readonly inputs: readonly TaskInput[]
  readonly attachments: readonly ArtifactRef[]
  readonly artifacts: readonly ArtifactRef[]
  readonly text: string
  readonly faults: readonly string[]
  readonly leaseUntil: Date
  readonly requestedAt: Date
  readonly endedAt: Date | null
  readonly passedAt: Date | null
}

type TestEvent = { readonly by: string; readonly at: Date } & (
  | {
      readonly type: 'answer'
      readonly artifacts: readonly ArtifactRef[]
      readonly text: string
      readonly faults: readonly string[]
    }
  | { readonly type: 'decline'; readonly reason: string }
)

/**
 * The only state transition function of a test.
 * @throws call.not_agent, call.wrong_state
 */
export function advanceSkillTest(test: SkillTest, event: TestEvent): SkillTest {
  if (test.agentId !== event.by) throw callNotAgent(event.by)
  const now = skillTestAsOf(test, event.at)
  if (now.state !== 'requested') throw callWrongState(test.id, now.state, `call.${event.type}`)
  const ended = { ...test, endedAt: event.at }
  if (event.type === 'decline') return { ...ended, state: 'failed', faults: [`The agent declined: ${event.reason}`] }
  const { artifacts, text, faults } = event
  if (faults.length > 0) return { ...ended, state: 'failed', artifacts, text, faults }
  return { ...ended, state: 'passed', artifacts, text, passedAt: test.passedAt ?? event.at }
}

/** The test as of a time: an open one whose lease has ended has failed. No job is needed, because nothing else waits for it. */
export function skillTestAsOf(test: SkillTest, now: Date): SkillTest {
  if (test.state !== 'requested' || test.leaseUntil > now) return test
  return { ...test, state: 'failed', endedAt: test.leaseUntil, faults: ['The agent did not answer in time.'] }
}

/** What identifies a version of a skill. Its price, tags and samples do not change what it promises. */
export function skillDigest({ id, name, description, inputs, outputs }: Skill): string {
  return createHash('sha256')
    .update(canonicalize({ id, name, description, inputs, outputs } as unknown as Json))
    .digest('hex')
}
