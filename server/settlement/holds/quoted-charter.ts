/**
 * The charter of a quoted goal. The client funds it with the terms: it is in force from the funding, and no other can follow it. The
 * escrow checks this on its rail, and the server on the card rail.
 */
import { Charter, charterHash } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { advanceHold, type FundedHold, type Hold, isFunded } from './hold.ts'
import { type HoldCharterStep, listCharters, saveHold } from './hold-store.ts'
import { requirePayable, writePayouts } from './write-payouts.ts'

type Hex = `0x${string}`

/** On chain a charter that came with the terms has the version 0, and so it has here. */
const quotedVersion = 0
const noCharter: Hex = `0x${'0'.repeat(64)}`

/** The document that the client funds, and its hash. */
export type QuotedCharter = { readonly charter: Charter; readonly charterHash: Hex }

/** Whether the client funds the charter with the terms. */
export function isQuoted({ terms }: { readonly terms: { readonly charter: Hex } }): boolean {
  return terms.charter !== noCharter
}

/** The charter that the client funds with the terms; null in an open bounty. */
export async function getQuotedCharter(ctx: Context, goalId: string): Promise<QuotedCharter | null> {
  const row = await ctx.db.hold.findUnique({ where: { goalId }, select: { quotedCharter: true } })
  if (row === null || row.quotedCharter === null) return null
  const charter = Charter.parse(row.quotedCharter)
  return { charter, charterHash: await charterHash(charter) }
}

/**
 * Stores what the escrow, or the settlement of cards, reads of the charter. Part of the transaction that opens the hold.
 * @throws team.charter_invalid if the rail could not pay it
 */
export async function saveQuotedCharter(tx: Context, hold: Hold, quoted: QuotedCharter): Promise<void> {
  const { goalId } = hold
  const charged = chargedSteps(quoted.charter)
  requirePayable(hold, charged)
  const steps = charged.map((step) => ({ ...step, amount: step.amount.toString() }))
  await tx.db.holdCharter.create({
    data: { goalId, version: quotedVersion, charterHash: quoted.charterHash, steps, createdAt: tx.clock.now() },
  })
}

/** The steps of a charter as the settlement stores them. */
function chargedSteps({ steps }: Charter): (HoldCharterStep & { royalties: { to: Hex; bps: number }[] })[] {
  return steps.map(({ step, payee, amount, agent_id: agentId, royalties = [] }) => ({
    ...{ step, agentId },
    payee: payee.toLowerCase() as Hex,
    amount: BigInt(amount),
    royalties: royalties.map(({ to, bps }) => ({ to: to.toLowerCase() as Hex, bps })),
  }))
}

/** The money has arrived: the charter of a quoted goal is in force, and its payouts are written. Any other hold stays as it is. */
export async function putQuotedCharterInForce(tx: Context, hold: Hold): Promise<Hold> {
  if (!isFunded(hold) || !isQuoted(hold)) return hold
  const charter = (await listCharters(tx, hold.goalId)).find(({ version }) => version === quotedVersion)
  if (!charter) throw new Error(`the quoted charter of ${hold.goalId} is not among ours`)
  const sealed = await saveHold(tx, advanceHold(hold, { type: 'seal', charter: { version: quotedVersion, hash: charter.hash } }))
  await writePayouts(tx, sealed, charter)
  return sealed
}

/** Whether this is the charter that the client funded, on a funded hold. */
export function isFundedCharter(hold: FundedHold, given: { readonly version: number; readonly charterHash: Hex }): boolean {
  return isQuoted(hold) && given.version === quotedVersion && hold.charter?.hash === given.charterHash
}
