import type { ArtifactRef, TaskInput } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { getListing } from '../../registry/index.ts'
import { testNotOwner } from '../errors.ts'
import { skillDigest, skillTestAsOf } from './skill-test.ts'
import { skillTestFromRow } from './skill-test-store.ts'

/** A test as its publisher sees it. Times in RFC 3339. */
export type SkillTestView = {
  readonly call_id: string
  readonly skill_id: string
  /** The version of the listing with which it was sent. */
  readonly version: number
  /** Whether the skill is still what it was. */
  readonly is_current: boolean
  readonly state: 'requested' | 'passed' | 'failed'
  readonly inputs: readonly TaskInput[]
  readonly attachments: readonly ArtifactRef[]
  readonly artifacts: readonly ArtifactRef[]
  readonly text: string
  readonly faults: readonly string[]
  readonly requested_at: string
  readonly duration_ms: number | null
}

const maxTests = 50

/**
 * The last test of each version of an agent's skills, newest first. For its owner only.
 * @throws listing.not_found, listing.not_owner
 */
export async function listSkillTests(ctx: Context, agentId: string): Promise<SkillTestView[]> {
  const { actor } = ctx
  const listing = await getListing(ctx, agentId)
  if (listing.home || actor.kind !== 'person' || actor.did !== listing.owner_id) throw testNotOwner(listing.agent_id)
  const current = new Set(listing.skills.map((skill) => `${skill.id} ${skillDigest(skill)}`))
  const rows = await ctx.db.skillTest.findMany({ where: { agentId: listing.agent_id }, orderBy: { requestedAt: 'desc' }, take: maxTests })
  const now = ctx.clock.now()
  return rows.map((row) => {
    const { id, skillId, version, digest, state, inputs, attachments, artifacts, text, faults, requestedAt, endedAt } = skillTestAsOf(
      skillTestFromRow(row),
      now,
    )
    return {
      ...{ call_id: id, skill_id: skillId, version, is_current: current.has(`${skillId} ${digest}`), state },
      ...{ inputs, attachments, artifacts, text, faults },
      requested_at: requestedAt.toISOString(),
      duration_ms: endedAt === null ? null : endedAt.getTime() - requestedAt.getTime(),
    }
  })
}
