import { ArtifactRef, TaskInput } from '@parley/protocol'
import type { Call as Row } from '../../prisma/client/client.ts'
import type { Context } from '../context.ts'
import { filterValidItems } from '../db/filter-valid-items.ts'
import type { Call } from './call.ts'
import { callNotFound } from './errors.ts'

export function callFromRow(row: Row): Call {
  const { id, agentId, clientId, callerId, skillId, price, digest, leaseUntil, requestedAt, endedAt, state } = row
  const asked = {
    id,
    channelId: row.channelId as `0x${string}`,
    agentId,
    clientId,
    callerId,
    skillId,
    price,
    digest,
    inputs: TaskInput.array().parse(row.inputs),
    attachments: ArtifactRef.array().parse(row.attachments),
    leaseUntil,
    requestedAt,
  }
  if (state === 'requested') return { ...asked, state }
  if (endedAt === null) throw new Error(`call ${id} has ended without a time`)
  if (state === 'answered') return { ...asked, state, artifacts: ArtifactRef.array().parse(row.artifacts), text: row.text, endedAt }
  return { ...asked, state, failure: row.failure ?? '', endedAt }
}

export async function findCall(ctx: Context, id: string): Promise<Call | null> {
  const row = await ctx.db.call.findUnique({ where: { id } })
  return row && callFromRow(row)
}

/**
 * Locks the row until the transaction ends.
 * @throws call.not_found
 */
export async function lockCall(tx: Context, id: string): Promise<Call> {
  await tx.db.$queryRaw`select 1 from "call" where "id" = ${id} for update`
  const call = await findCall(tx, id)
  if (!call) throw callNotFound(id)
  return call
}

/** Saves the fields that `advanceCall` may change. The caller holds the row lock. */
export async function saveCall(tx: Context, call: Call): Promise<void> {
  await tx.db.call.update({
    where: { id: call.id },
    data: {
      state: call.state,
      ...(call.state === 'answered' && { artifacts: call.artifacts as object[], text: call.text }),
      ...('failure' in call && { failure: call.failure }),
      ...('endedAt' in call && { endedAt: call.endedAt }),
    },
  })
}

/** A call as both sides see it. Amounts in base units, times in RFC 3339. */
export type CallView = {
  readonly call_id: string
  /** Null for a test task, which no channel pays. */
  readonly channel_id: string | null
  readonly agent_id: string
  readonly skill_id: string
  readonly state: Call['state']
  readonly price: string
  readonly inputs: readonly TaskInput[]
  readonly attachments: readonly ArtifactRef[]
  readonly artifacts: readonly ArtifactRef[]
  readonly text: string
  readonly reason: string | null
  readonly requested_at: string
  readonly lease_until: string
  readonly ended_at: string | null
}

/** A call for a page. Files and inputs that do not parse are left out; commands parse them strictly. */
export function toCallView(row: Row): CallView {
  const { artifacts, text } = row.state === 'answered' ? row : { artifacts: [], text: '' }
  return {
    call_id: row.id,
    channel_id: row.channelId,
    agent_id: row.agentId,
    skill_id: row.skillId,
    state: row.state,
    price: row.price.toString(),
    inputs: filterValidItems(TaskInput, row.inputs),
    attachments: filterValidItems(ArtifactRef, row.attachments),
    artifacts: filterValidItems(ArtifactRef, artifacts),
    text,
    reason: row.state === 'requested' || row.state === 'answered' ? null : (row.failure ?? ''),
    requested_at: row.requestedAt.toISOString(),
    lease_until: row.leaseUntil.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  }
}
