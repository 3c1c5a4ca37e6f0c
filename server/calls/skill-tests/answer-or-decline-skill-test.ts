import type { AnswerCall, ArtifactRef, DeclineCall, Listing } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { getListing } from '../../registry/index.ts'
import { storeFile } from '../../tasks/index.ts'
import { callAnswerFault, callFilesFault } from '../call-faults.ts'
import { callInputInvalid, callNotFound } from '../errors.ts'
import { findSchemaMismatches } from './find-schema-mismatches.ts'
import { advanceSkillTest, type SkillTest, skillDigest } from './skill-test.ts'
import { lockSkillTest, saveSkillTest } from './skill-test-store.ts'

type Ended = { call_id: string; state: string }

/** Ends a test task with the agent's answer to it, as `call.answer` or `call.decline`. The caller has checked permission and content. Idempotent. */
export async function answerOrDeclineSkillTest(ctx: Context, test: SkillTest, input: AnswerCall | DeclineCall): Promise<Ended> {
  const by = ctx.actor.kind === 'agent' ? ctx.actor.agentId : ctx.actor.kind
  if (input.type === 'call.answer') requireSmall(input)
  // Before the transaction, because the check of a schema can take seconds.
  const faults =
    input.type === 'call.answer' && by === test.agentId ? await answerFaults(await getListing(ctx, test.agentId), test, input) : []
  return inTransaction(ctx, async (tx) => {
    const current = await lockSkillTest(tx, test.id)
    if (!current) throw callNotFound(test.id)
    if (current.agentId === by) await claimIdempotencyKey(tx, test.id, input)
    if (current.agentId === by && isRepeated(current, input)) return stateOf(current)
    const at = tx.clock.now()
    // The state and the agent are checked before a file is stored.
    advanceSkillTest(current, { type: 'decline', by, at, reason: '' })
    const ended =
      input.type === 'call.answer'
        ? advanceSkillTest(current, { type: 'answer', by, at, artifacts: await keepAll(tx, input), text: input.text, faults })
        : advanceSkillTest(current, { type: 'decline', by, at, reason: input.reason })
    await saveSkillTest(tx, ended)
    const after = { call_id: ended.id, skill_id: ended.skillId, state: ended.state }
    await appendAudit(tx, { stream: ended.agentId, action: input.type, before: { state: current.state }, after })
    return stateOf(ended)
  })
}

/** The states of a call, which is what the agent answers. */
const stateOf = ({ id, state, artifacts }: SkillTest): Ended => ({
  call_id: id,
  state: state === 'passed' || artifacts.length > 0 ? 'answered' : 'declined',
})

const isRepeated = (test: SkillTest, { type }: AnswerCall | DeclineCall): boolean =>
  test.state !== 'requested' && stateOf(test).state === (type === 'call.answer' ? 'answered' : 'declined')

/** @throws call.input_invalid */
function requireSmall({ artifacts }: AnswerCall): void {
  const fault = callFilesFault(artifacts)
  if (fault !== null) throw callInputInvalid(fault)
}

/** Why an answer fails its test. An incomplete answer to a call is refused. That of a test is kept, so that the publisher sees it. */
async function answerFaults(listing: Listing, test: SkillTest, { artifacts }: AnswerCall): Promise<string[]> {
  const skill = listing.skills.find((one) => one.id === test.skillId)
  if (!skill || skillDigest(skill) !== test.digest) return ['The skill changed while the test was open.']
  const missing = callAnswerFault(skill, artifacts)
  return [...(missing === null ? [] : [missing]), ...(await findSchemaMismatches(skill.outputs, artifacts))]
}

async function keepAll(tx: Context, { artifacts }: AnswerCall): Promise<ArtifactRef[]> {
  const kept: ArtifactRef[] = []
  for (const upload of artifacts) kept.push(await storeFile(tx, upload))
  return kept
}
