import type { ArtifactRef, Json, Listing, Skill, TestSkill } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { getAgentInboxId, getListing } from '../../registry/index.ts'
import { requireAcceptableContent } from '../../safety/index.ts'
import { storeFile } from '../../tasks/index.ts'
import { callFilesFault, callInputFault } from '../call-faults.ts'
import { callInputInvalid, listingNotTestable, skillNotOffered, testAlreadyOpen, testNotOwner } from '../errors.ts'
import { skillDigest, skillTestAsOf, testLeaseMs } from './skill-test.ts'
import { findSkillTest, skillTestFromRow } from './skill-test-store.ts'

export type TestStarted = { call_id: string; state: string; lease_until: string }

/**
 * The publisher sends a free test task to its agent. The agent answers as it answers a call, and nothing is paid. Replaces the earlier
 * test of the same version of the skill. Idempotent while it is the last one.
 */
export async function testSkill(ctx: Context, input: TestSkill): Promise<TestStarted> {
  await permit(ctx, 'skill.test')
  const listing = await getListing(ctx, input.agent_id)
  requireTestable(ctx, listing)
  const skill = listing.skills.find((one) => one.id === input.skill_id)
  if (!skill) throw skillNotOffered(input.skill_id)
  const fault = callFilesFault(input.attachments)
  if (fault !== null) throw callInputInvalid(fault)
  requireAcceptableContent(ctx, input.inputs, 'call')
  return inTransaction(ctx, async (tx) => {
    // The tests of an agent follow each other.
    await tx.db.$queryRaw`select 1 from "listing" where "agentId" = ${listing.agent_id} for update`
    await claimIdempotencyKey(tx, input.call_id, input)
    const earlier = await findSkillTest(tx, input.call_id)
    if (earlier) return { call_id: earlier.id, state: earlier.state, lease_until: earlier.leaseUntil.toISOString() }
    const attachments: ArtifactRef[] = []
    for (const upload of input.attachments) attachments.push(await storeFile(tx, upload))
    const wrong = callInputFault(skill, input.inputs, attachments)
    if (wrong !== null) throw callInputInvalid(wrong)
    return startTest(tx, { input, listing, skill, attachments })
  })
}

/** @throws listing.not_owner, listing.withdrawn */
function requireTestable({ actor }: Context, listing: Listing): void {
  if (listing.home || actor.kind !== 'person' || actor.did !== listing.owner_id) throw testNotOwner(listing.agent_id)
  if (listing.withdrawn_at !== null) throw listingNotTestable(listing.agent_id)
}

type NewTest = {
  readonly input: TestSkill
  readonly listing: Listing
  readonly skill: Skill
  readonly attachments: readonly ArtifactRef[]
}

async function startTest(tx: Context, { input, listing, skill, attachments }: NewTest): Promise<TestStarted> {
  const { call_id, inputs } = input
  const key = { agentId: listing.agent_id, skillId: skill.id, digest: skillDigest(skill) }
  const now = tx.clock.now()
  const before = await tx.db.skillTest.findUnique({ where: { agentId_skillId_digest: key } })
  if (before && skillTestAsOf(skillTestFromRow(before), now).state === 'requested') throw testAlreadyOpen(before.id)
  if (before) await tx.db.skillTest.delete({ where: { id: before.id } })
  const leaseUntil = new Date(now.getTime() + testLeaseMs)
  await tx.db.skillTest.create({
    data: {
      ...{ id: call_id, ...key, version: listing.version, state: 'requested', leaseUntil, requestedAt: now },
      inputs: inputs as object[],
      attachments: attachments as object[],
      passedAt: before?.passedAt ?? null,
    },
  })
  const data = {
    ...{ call_id, skill_id: skill.id, inputs: inputs as Json, outputs: skill.outputs.map((port) => port.type) },
    ...{ price: '0', lease_until: leaseUntil.toISOString(), is_test: true },
  }
  await postSystemMessage(tx, { roomId: await getAgentInboxId(tx, listing.agent_id), kind: 'call.requested', data })
  await appendAudit(tx, {
    stream: listing.agent_id,
    action: 'skill.test',
    after: { call_id, skill_id: skill.id, version: listing.version },
  })
  return { call_id, state: 'requested', lease_until: leaseUntil.toISOString() }
}
