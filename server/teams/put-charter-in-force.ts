import type { EscrowPlan } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import type { SealingPackage } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { advanceSubTeam } from './sub-teams/sub-team.ts'
import { listSubTeams, saveSubTeam } from './sub-teams/sub-team-store.ts'
import { advanceTeam, type Team } from './team.ts'
import { lockTeam, saveTeam } from './team-store.ts'

export type RecordedTeam = {
  readonly goalId: string
  readonly version: number
  /** The escrow's plan id; null on another rail. */
  readonly planId: string | null
  /** The plan in the escrow, which a quoted charter can't name; undefined for any other charter. */
  readonly plan?: EscrowPlan | undefined
  /** The transaction that sealed it; null if it is not on chain yet. */
  readonly tx: string | null
  /** Whether it has the signature of every payee. */
  readonly agreed: boolean
  /** What a member needs to seal it on chain; null before the client's approval. */
  readonly sealing: SealingPackage | null
}

/** The rail has recorded this version, or the client has approved it: its steps may be assigned. */
export async function putCharterInForce(ctx: Context, input: RecordedTeam): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const team = await lockTeam(tx, input.goalId)
    const recorded = advanceTeam(team, { type: 'team.record', version: input.version, agreed: input.agreed, at: tx.clock.now() })
    if (recorded === team) return
    await saveTeam(tx, recorded)
    await tx.db.step.updateMany({ where: { goalId: team.goalId }, data: { recorded: true } })
    await postSystemMessage(tx, {
      roomId: team.roomId,
      state: 'task_assignment',
      kind: 'charter.recorded',
      text: sentenceOf(input),
      data: {
        version: input.version,
        charter_hash: team.charterHash,
        plan_id: input.planId,
        tx: input.tx,
        agreed: input.agreed,
        ...(input.plan && { plan: input.plan as never }),
        ...(input.sealing && { sealing: input.sealing as never }),
      },
      payment: { kind: 'charter.recorded', tx: input.tx, total: team.charter.total, asset: team.charter.asset },
    })
    await announceToSubTeams(tx, team, input)
    await appendAudit(tx, {
      stream: team.goalId,
      action: 'team.record',
      after: { version: input.version, tx: input.tx, agreed: input.agreed },
    })
    await sendSignal(tx, { topic: 'goal', id: team.goalId })
  })
}

/** Active sub-teams continue under this version. Those whose proposal it contains may assign their steps. */
async function announceToSubTeams(
  tx: Context,
  team: Team,
  { version, planId, tx: hash, agreed, sealing }: Omit<RecordedTeam, 'goalId'>,
): Promise<void> {
  for (const one of await listSubTeams(tx, team.goalId)) {
    if (one.endedAt !== null || one.sealedAt === null) continue
    const recorded = advanceSubTeam(one, { type: 'record', version, at: tx.clock.now() })
    if (recorded !== one) await saveSubTeam(tx, recorded)
    const { roomId } = one
    const charter = { version, charter_hash: team.charterHash }
    if (one.proposal?.charterHash !== team.charterHash)
      await postSystemMessage(tx, {
        roomId,
        kind: 'charter.amended',
        data: { ...charter, charter: team.charter as never, step: one.step, room_id: team.roomId },
        text: 'The charter of the goal has changed elsewhere; what this team has agreed on stays.',
      })
    await postSystemMessage(tx, {
      roomId,
      state: 'task_assignment',
      kind: 'charter.recorded',
      text: sentenceOf({ planId, tx: hash }),
      data: { ...charter, plan_id: planId, tx: hash, agreed, ...(sealing && { sealing: sealing as never }) },
    })
  }
}

function sentenceOf({ planId, tx }: Pick<RecordedTeam, 'planId' | 'tx'>): string {
  if (planId === null) return 'The charter is in force. Every step is bound to its payee.'
  if (tx === null) return 'The client has approved the team. The charter is in force, and every member can submit it to the escrow.'
  return 'The escrow holds the charter. Every step is bound to its payee.'
}
