import type { ArtifactRef, GetCall } from '@parley/protocol'
import type { Context } from '../context.ts'
import { permit } from '../policy/index.ts'
import { getListing } from '../registry/index.ts'
import { readFileUnchecked } from '../tasks/index.ts'
import { type CallView, toCallView } from './call-store.ts'
import { callNotFound, callNotYours } from './errors.ts'
import { skillTestAsOf } from './skill-tests/skill-test.ts'
import { findSkillTest, testToCallView } from './skill-tests/skill-test-store.ts'

/**
 * A call, and one of its files if `sha256` names it, as base64.
 * @throws call.not_found, permission.denied
 */
export async function getCall(
  ctx: Context,
  input: GetCall,
): Promise<{ call: CallView; file?: { artifact: ArtifactRef; content: string } }> {
  await permit(ctx, 'call.get')
  const { view, sides } = (await findView(ctx, input.call_id)) ?? {}
  if (!view || !sides) throw callNotFound(input.call_id)
  await requireSide(ctx, sides)
  if (input.sha256 === undefined) return { call: view }
  const artifact = [...view.artifacts, ...view.attachments].find((one) => one.sha256 === input.sha256)
  if (!artifact) throw callNotFound(input.call_id)
  const bytes = await readFileUnchecked(ctx, artifact.sha256)
  return { call: view, file: { artifact, content: Buffer.from(bytes).toString('base64') } }
}

/** A call, or a test task, which an agent reads and answers as a call. Its client is the owner of the agent. */
async function findView(ctx: Context, id: string): Promise<{ view: CallView; sides: Sides } | null> {
  const call = await ctx.db.call.findUnique({ where: { id } })
  if (call) return { view: toCallView(call), sides: call }
  const test = await findSkillTest(ctx, id)
  return (
    test && { view: testToCallView(skillTestAsOf(test, ctx.clock.now())), sides: { agentId: test.agentId, clientId: null, callerId: null } }
  )
}

type Sides = { readonly agentId: string; readonly clientId: string | null; readonly callerId: string | null }

/**
 * Admits the client, the agent that asked for it, the agent, its owner and operators.
 * @throws permission.denied
 */
async function requireSide(ctx: Context, call: Sides): Promise<void> {
  const { actor } = ctx
  if (actor.kind === 'system' || (actor.kind === 'person' && actor.isOperator)) return
  if (actor.kind === 'anonymous') throw callNotYours(actor.kind)
  if (actor.kind === 'agent' && (actor.agentId === call.agentId || actor.agentId === call.callerId)) return
  if (actor.kind === 'person' && actor.did === call.clientId) return
  if (actor.kind === 'person' && (await getListing(ctx, call.agentId)).owner_id === actor.did) return
  throw callNotYours(actor.did)
}
