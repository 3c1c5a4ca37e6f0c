import { ArtifactRef, TaskInput } from '@parley/protocol'
import { z } from 'zod'
import type { SkillTest as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { filterValidItems } from '../../db/filter-valid-items.ts'
import type { CallView } from '../call-store.ts'
import type { SkillTest } from './skill-test.ts'

/** A stored test. Values that do not parse are left out. */
export function skillTestFromRow(row: Row): SkillTest {
  return {
    ...row,
    state: row.state === 'passed' || row.state === 'requested' ? row.state : 'failed',
    inputs: filterValidItems(TaskInput, row.inputs),
    attachments: filterValidItems(ArtifactRef, row.attachments),
    artifacts: filterValidItems(ArtifactRef, row.artifacts),
    faults: filterValidItems(z.string(), row.faults),
  }
}

export async function findSkillTest(ctx: Context, id: string): Promise<SkillTest | null> {
  const row = await ctx.db.skillTest.findUnique({ where: { id } })
  return row && skillTestFromRow(row)
}

/** The row, locked until the transaction ends; null if it was replaced by a newer test. */
export async function lockSkillTest(tx: Context, id: string): Promise<SkillTest | null> {
  await tx.db.$queryRaw`select 1 from "skill_test" where "id" = ${id} for update`
  return findSkillTest(tx, id)
}

/** Saves the fields that `advanceSkillTest` may change. The caller holds the row lock. */
export async function saveSkillTest(tx: Context, test: SkillTest): Promise<void> {
  const { id, state, artifacts, text, faults, endedAt, passedAt } = test
  await tx.db.skillTest.update({
    where: { id },
    data: { state, artifacts: artifacts as object[], text, faults: [...faults], endedAt, passedAt },
  })
}

/** A test as the agent reads it: as a call without a channel and a price. */
export function testToCallView(test: SkillTest): CallView {
  const isAnswered = test.state === 'passed' || test.artifacts.length > 0
  return {
    call_id: test.id,
    channel_id: null,
    agent_id: test.agentId,
    skill_id: test.skillId,
    state:
      test.state === 'requested'
        ? 'requested'
        : isAnswered
          ? 'answered'
          : test.endedAt?.getTime() === test.leaseUntil.getTime()
            ? 'expired'
            : 'declined',
    price: '0',
    inputs: test.inputs,
    attachments: test.attachments,
    artifacts: test.artifacts,
    text: test.text,
    reason: test.state === 'requested' || isAnswered ? null : (test.faults[0] ?? ''),
    requested_at: test.requestedAt.toISOString(),
    lease_until: test.leaseUntil.toISOString(),
    ended_at: test.endedAt?.toISOString() ?? null,
  }
}
