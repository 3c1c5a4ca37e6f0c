import { type ArtifactRef, canonicalBytes, type Json, type RequestCall, type Skill, sha256 } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue, schedule } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { getAgentInboxId, getListing } from '../registry/index.ts'
import { requireAcceptableContent } from '../safety/index.ts'
import { requireOwnChannel, reserveVoucher, verifyVoucher } from '../settlement/index.ts'
import { storeFile } from '../tasks/index.ts'
import { type Call, callLeaseMs } from './call.ts'
import { callFilesFault, callInputFault } from './call-faults.ts'
import { findCall } from './call-store.ts'
import { calledListingWithdrawn, callIdReused, callInputInvalid, skillNotOffered } from './errors.ts'

type Asked = { call_id: string; state: string; lease_until: string }

/**
 * Sends a question to the agent of a channel, paid by the given voucher. The call is in the agent's inbox when this returns. Idempotent.
 */
export async function requestCall(ctx: Context, input: RequestCall): Promise<Asked> {
  await permit(ctx, 'call.request')
  const digest = await sha256(canonicalBytes({ ...input } as Json))
  const channel = await requireOwnChannel(ctx, input.channel_id)
  const known = await findCall(ctx, input.call_id)
  if (known) return repeated(known, digest)
  const listing = await getListing(ctx, channel.agentId)
  if (listing.withdrawn_at !== null) throw calledListingWithdrawn(channel.agentId)
  const skill = listing.skills.find((one) => one.id === input.skill_id)
  if (!skill) throw skillNotOffered(input.skill_id)
  const fault = callFilesFault(input.attachments)
  if (fault !== null) throw callInputInvalid(fault)
  requireAcceptableContent(ctx, input.inputs, 'call')
  const voucher = {
    channelId: channel.id,
    price: BigInt(skill.price),
    amount: BigInt(input.max_claimable_amount),
    signature: input.signature as `0x${string}`,
  }
  await verifyVoucher(ctx, channel, voucher, listing.payout)

  return inTransaction(ctx, async (tx) => {
    // Every command on the calls of a channel locks the channel's row first.
    const first = await tx.db.$queryRaw<unknown[]>`select 1 from "channel" where "id" = ${channel.id} for update`
    const earlier = first.length > 0 ? await findCall(tx, input.call_id) : null
    if (earlier) return repeated(earlier, digest)
    await reserveVoucher(tx, voucher)
    const attachments: ArtifactRef[] = []
    for (const upload of input.attachments) attachments.push(await storeFile(tx, upload))
    requireInputs(skill, input, attachments)
    return createCall(tx, { input, digest, channel, skill, attachments })
  })
}

type NewCall = {
  readonly input: RequestCall
  readonly digest: string
  readonly channel: Awaited<ReturnType<typeof requireOwnChannel>>
  readonly skill: Skill
  readonly attachments: readonly ArtifactRef[]
}

/** Creates the call, and posts it to the agent's inbox. */
async function createCall(tx: Context, { input, digest, channel, skill, attachments }: NewCall): Promise<Asked> {
  const { call_id } = input
  const leaseUntil = new Date(tx.clock.now().getTime() + callLeaseMs)
  const data = {
    call_id,
    channel_id: channel.id,
    skill_id: skill.id,
    inputs: input.inputs as Json,
    outputs: skill.outputs.map((port) => port.type),
    price: skill.price,
    lease_until: leaseUntil.toISOString(),
  }
  await postSystemMessage(tx, { roomId: await getAgentInboxId(tx, channel.agentId), kind: 'call.requested', data })
  await tx.db.call.create({
    data: {
      id: call_id,
      channelId: channel.id,
      agentId: channel.agentId,
      clientId: channel.clientId,
      callerId: tx.actor.kind === 'agent' ? tx.actor.agentId : null,
      state: 'requested',
      skillId: skill.id,
      price: BigInt(skill.price),
      digest,
      inputs: input.inputs as object[],
      attachments: attachments as object[],
      leaseUntil,
      requestedAt: tx.clock.now(),
    },
  })
  await appendAudit(tx, {
    stream: `channel:${channel.id}`,
    action: 'call.request',
    after: { call_id, skill_id: skill.id, price: skill.price, voucher: input.max_claimable_amount },
  })
  await enqueue(tx, { type: 'call.requested', channel_id: channel.id, call_id })
  await schedule(tx, 'expire-call', { callId: call_id }, { runAt: leaseUntil, jobKey: `call:${call_id}` })
  return { call_id, state: 'requested', lease_until: leaseUntil.toISOString() }
}

/** @throws call.id_reused */
function repeated(call: Call, digest: string): Asked {
  if (call.digest !== digest) throw callIdReused(call.id)
  return { call_id: call.id, state: call.state, lease_until: call.leaseUntil.toISOString() }
}

/** @throws call.input_invalid */
function requireInputs(skill: Skill, input: RequestCall, attachments: readonly ArtifactRef[]): void {
  const fault = callInputFault(skill, input.inputs, attachments)
  if (fault !== null) throw callInputInvalid(fault)
}
