import { Charter, type CharterDraftState, canFollow, charterDraftTransitions } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { versionConflict } from '../../errors.ts'
import { charterNotConfirmed, charterWrongState } from '../errors.ts'

type Common = {
  readonly goalId: string
  readonly charterHash: string
  /** From 1. Only the newest draft can be answered. */
  readonly number: number
  readonly charter: Charter
  /** The principal's explanation for the client. */
  readonly rationale: string
  /** Steps that may be assigned. */
  readonly steps: readonly number[]
  readonly submittedAt: Date
  readonly rowVersion: number
}
type State<S extends CharterDraftState> = { readonly state: S }

/** A charter that needs the client's confirmation. Exists only if the goal's planner is `copilot`. */
export type CharterDraft =
  | (Common & State<'submitted'> & { readonly refusedStep: null; readonly reason: null; readonly decidedAt: null })
  | (Common & State<'confirmed'> & { readonly refusedStep: null; readonly reason: null; readonly decidedAt: Date })
  | (Common & State<'refused'> & { readonly refusedStep: number | null; readonly reason: string; readonly decidedAt: Date })

export type CharterDraftEvent =
  | { readonly type: 'charter.confirm'; readonly steps: readonly number[]; readonly at: Date }
  | { readonly type: 'charter.refuse'; readonly step: number | null; readonly reason: string; readonly at: Date }

/** The only state transition function of a draft. */
export function advanceCharterDraft(draft: CharterDraft, event: CharterDraftEvent): CharterDraft {
  const to = event.type === 'charter.confirm' ? 'confirmed' : 'refused'
  if (!canFollow(charterDraftTransitions, draft.state, to)) throw charterWrongState(draft.state, event.type)
  switch (event.type) {
    case 'charter.confirm': {
      const odd = event.steps.find((step) => !draft.charter.steps.some((one) => one.step === step))
      if (odd !== undefined) throw charterWrongState(`without a step ${odd}`, event.type)
      const steps = [...new Set([...draft.steps, ...event.steps])].sort((a, b) => a - b)
      return { ...draft, state: 'confirmed', steps, refusedStep: null, reason: null, decidedAt: event.at }
    }
    case 'charter.refuse': {
      if (draft.state === 'confirmed' && event.step === null) throw charterWrongState('confirmed; a step of it can be refused', event.type)
      if (event.step !== null && !draft.charter.steps.some((one) => one.step === event.step))
        throw charterWrongState(`without a step ${event.step}`, event.type)
      const steps = draft.steps.filter((step) => step !== event.step)
      return { ...draft, state: 'refused', steps, refusedStep: event.step, reason: event.reason, decidedAt: event.at }
    }
    default:
      return event satisfies never
  }
}

export async function findCharterDraft(ctx: Context, goalId: string, charterHash?: string): Promise<CharterDraft | null> {
  const row = await ctx.db.charterDraft.findFirst({
    where: { goalId, ...(charterHash === undefined ? {} : { charterHash }) },
    orderBy: { number: 'desc' },
  })
  // Database constraints match the variants of the type.
  return row && ({ ...row, charter: Charter.parse(row.charter) } as CharterDraft)
}

/** @throws version.conflict */
export async function saveCharterDraft(tx: Context, draft: CharterDraft): Promise<void> {
  const { goalId, state, steps, refusedStep, reason, decidedAt, rowVersion } = draft
  const saved = await tx.db.charterDraft.updateMany({
    where: { goalId, charterHash: draft.charterHash, rowVersion },
    data: { state, steps: [...steps], refusedStep, reason, decidedAt, rowVersion: rowVersion + 1 },
  })
  if (saved.count === 0) throw versionConflict('The draft of the charter')
}

/**
 * Passes if the client need not confirm, or has confirmed this charter.
 * @throws charter.not_confirmed
 */
export async function requireConfirmed(tx: Context, asked: { roomId: string; goalId: string; charterHash: string }): Promise<void> {
  if (!(await requiresConfirmation(tx, asked.roomId))) return
  const draft = await findCharterDraft(tx, asked.goalId, asked.charterHash)
  if (draft?.state !== 'confirmed') throw charterNotConfirmed(undefined)
}

/**
 * Passes if the client need not confirm, or has confirmed this step with this agent. The charter in force may be newer than the confirmed
 * one, because sub-teams change it and are paid from their own step.
 * @throws charter.not_confirmed
 */
export async function requireConfirmedStep(
  tx: Context,
  asked: { roomId: string; goalId: string; step: number; agentId: string },
): Promise<void> {
  if (!(await requiresConfirmation(tx, asked.roomId))) return
  const rows = await tx.db.charterDraft.findMany({ where: { goalId: asked.goalId, decidedAt: { not: null } }, orderBy: { number: 'desc' } })
  // A draft that was refused as a whole was never in force.
  const answered = rows.find((row) => row.state === 'confirmed' || row.refusedStep !== null)
  const hands = answered && Charter.parse(answered.charter).steps.find((one) => one.step === asked.step)?.agent_id
  if (!answered?.steps.includes(asked.step) || hands !== asked.agentId) throw charterNotConfirmed(asked.step)
}

async function requiresConfirmation(tx: Context, roomId: string): Promise<boolean> {
  const room = await tx.db.conversation.findUnique({ where: { roomId }, select: { requiresConfirmation: true } })
  return room?.requiresConfirmation ?? false
}
